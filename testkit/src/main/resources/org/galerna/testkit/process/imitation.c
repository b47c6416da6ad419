/*
 * An imitation of libibverbs and librdmacm with one adapter, fake0, inside one process: queue pairs deliver at once into
 * the memory of the other. It does only what Galerna uses, and fails wherever it is told to; for the tests of errors that
 * no adapter can be made to have. What it stands for is in infiniband/verbs.h and rdma/rdma_cma.h of rdma-core.
 */
#include <infiniband/verbs.h>
#undef ibv_query_port
#undef ibv_reg_mr
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define INLINE 256
#define PAIRS 4096
#define KEYS 65536

struct fake_cq { struct ibv_cq cq; pthread_mutex_t lock; struct ibv_wc *ring; unsigned size, head, tail; int wanted; };
struct fake_srq { struct ibv_srq srq; pthread_mutex_t lock; struct { uint64_t id; struct ibv_sge to; } *ring; unsigned size, head, tail; };
struct fake_qp { struct ibv_qp qp; struct ibv_qp_init_attr attr; uint32_t peer; };
struct rule { char verb[32]; int after, times, error; };

static pthread_mutex_t world = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device adapter = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "fake0"};
static struct fake_qp *pairs[PAIRS];
static struct ibv_mr *regions[KEYS];
static uint32_t last_pair = 1, last_key;
static int objects, calls[3]; /* poll_cq that found something, post_srq_recv, post_send */
static struct rule rules[8];
static int status_to_give = IBV_WC_SUCCESS;
static struct ibv_async_event event;
static int events;

/* Has a verb fail with an error, so often or always (0), once it has been called so many times more; error 0 takes that back. */
void fake_fail(const char *verb, int after, int times, int error) {
    pthread_mutex_lock(&world);
    struct rule *free_rule = NULL;
    for (int i = 0; i < 8; i++) {
        if (!strcmp(rules[i].verb, verb)) { free_rule = &rules[i]; break; }
        if (!rules[i].error) free_rule = &rules[i];
    }
    snprintf(free_rule->verb, sizeof free_rule->verb, "%s", verb);
    free_rule->after = after;
    free_rule->times = times;
    free_rule->error = error;
    pthread_mutex_unlock(&world);
}

/* Has the next send complete with a status. */
void fake_status(int status) { status_to_give = status; }

/* Lets an asynchronous event happen to a queue pair, or to the adapter as its rank has opened it. */
void fake_event(int type, int number) {
    event.event_type = type;
    event.element.qp = &pairs[number]->qp;
    events = 1;
    eventfd_write(pairs[number]->qp.context->async_fd, 1);
}

/* Objects that were made and not destroyed. */
int fake_objects(void) { return objects; }

/* Calls of a verb of the fast path since the last time this was asked. */
int fake_calls(int kind) { return __atomic_exchange_n(&calls[kind], 0, __ATOMIC_RELAXED); }

static int failure(const char *verb) {
    int error = 0;
    pthread_mutex_lock(&world);
    for (int i = 0; i < 8; i++)
        if (rules[i].error && !strcmp(rules[i].verb, verb) && rules[i].after-- <= 0) {
            error = rules[i].error;
            if (rules[i].times && !--rules[i].times) rules[i].error = 0;
        }
    pthread_mutex_unlock(&world);
    return error;
}

static int any_rule(void) {
    for (int i = 0; i < 8; i++) if (rules[i].error) return 1;
    return 0;
}

static void *make(const char *verb, size_t bytes) {
    int error = failure(verb);
    if (error) { errno = error; return NULL; }
    __atomic_add_fetch(&objects, 1, __ATOMIC_RELAXED);
    return calloc(1, bytes);
}

static int destroy(void *object) {
    __atomic_sub_fetch(&objects, 1, __ATOMIC_RELAXED);
    free(object);
    return 0;
}

/* ---- the fast path */

static void complete(struct ibv_cq *to, struct ibv_wc *completion) {
    struct fake_cq *cq = (struct fake_cq *) to;
    pthread_mutex_lock(&cq->lock);
    cq->ring[cq->tail++ % cq->size] = *completion;
    int wanted = cq->wanted;
    cq->wanted = 0;
    pthread_mutex_unlock(&cq->lock);
    if (wanted) eventfd_write(cq->cq.channel->fd, 1);
}

static int poll_cq(struct ibv_cq *from, int room, struct ibv_wc *completions) {
    struct fake_cq *cq = (struct fake_cq *) from;
    int count = 0;
    if (any_rule() && failure("poll_cq")) return -1;
    if (__atomic_load_n(&cq->tail, __ATOMIC_ACQUIRE) == cq->head) return 0;
    __atomic_add_fetch(&calls[0], 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&cq->lock);
    while (count < room && cq->head != cq->tail) completions[count++] = cq->ring[cq->head++ % cq->size];
    pthread_mutex_unlock(&cq->lock);
    return count;
}

static int req_notify_cq(struct ibv_cq *from, int solicited) {
    struct fake_cq *cq = (struct fake_cq *) from;
    (void) solicited;
    int error = any_rule() ? failure("req_notify_cq") : 0;
    pthread_mutex_lock(&cq->lock);
    cq->wanted = 1;
    pthread_mutex_unlock(&cq->lock);
    return error;
}

static int post_srq_recv(struct ibv_srq *to, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    struct fake_srq *srq = (struct fake_srq *) to;
    __atomic_add_fetch(&calls[1], 1, __ATOMIC_RELAXED);
    int error = any_rule() ? failure("post_srq_recv") : 0;
    if (error) { *bad = wr; return error; }
    pthread_mutex_lock(&srq->lock);
    for (; wr && !error; wr = wr->next) {
        if (srq->tail - srq->head == srq->size) { *bad = wr; error = ENOMEM; break; }
        srq->ring[srq->tail % srq->size].id = wr->wr_id;
        srq->ring[srq->tail++ % srq->size].to = wr->sg_list[0];
    }
    pthread_mutex_unlock(&srq->lock);
    return error;
}

static struct ibv_mr *reached(uint32_t key, uint64_t address, uint64_t length) {
    struct ibv_mr *mr = key < KEYS ? regions[key] : NULL;
    return mr && address >= (uint64_t) mr->addr && address + length <= (uint64_t) mr->addr + mr->length ? mr : NULL;
}

/* Does one request at once; the status it completes with. */
static int carry_out(struct fake_qp *from, struct fake_qp *to, struct ibv_send_wr *wr) {
    struct ibv_sge none = {0}, *sge = wr->num_sge ? wr->sg_list : &none;
    if (wr->num_sge && !(wr->send_flags & IBV_SEND_INLINE) && !reached(sge->lkey, sge->addr, sge->length))
        return IBV_WC_LOC_PROT_ERR;
    if (wr->opcode == IBV_WR_RDMA_WRITE || wr->opcode == IBV_WR_RDMA_READ) {
        uint64_t there = wr->wr.rdma.remote_addr;
        if (sge->length && !reached(wr->wr.rdma.rkey, there, sge->length)) return IBV_WC_REM_ACCESS_ERR;
        if (wr->opcode == IBV_WR_RDMA_WRITE) memcpy((void *) there, (void *) sge->addr, sge->length);
        else memcpy((void *) sge->addr, (void *) there, sge->length);
        return IBV_WC_SUCCESS;
    }
    struct fake_srq *srq = (struct fake_srq *) to->attr.srq;
    pthread_mutex_lock(&srq->lock);
    int dry = srq->head == srq->tail;
    uint64_t id = dry ? 0 : srq->ring[srq->head % srq->size].id;
    struct ibv_sge into = dry ? none : srq->ring[srq->head++ % srq->size].to;
    pthread_mutex_unlock(&srq->lock);
    if (dry) return IBV_WC_RNR_RETRY_EXC_ERR;
    struct ibv_wc received = {.wr_id = id, .opcode = IBV_WC_RECV, .byte_len = sge->length, .qp_num = to->qp.qp_num};
    if (sge->length > into.length) received.status = IBV_WC_LOC_LEN_ERR;
    else memcpy((void *) into.addr, (void *) sge->addr, sge->length);
    if (wr->opcode == IBV_WR_SEND_WITH_IMM) {
        received.wc_flags = IBV_WC_WITH_IMM;
        received.imm_data = wr->imm_data;
    }
    (void) from;
    complete(to->attr.recv_cq, &received);
    return received.status ? IBV_WC_REM_INV_REQ_ERR : IBV_WC_SUCCESS;
}

static int post_send(struct ibv_qp *on, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    struct fake_qp *from = (struct fake_qp *) on;
    __atomic_add_fetch(&calls[2], 1, __ATOMIC_RELAXED);
    int error = any_rule() ? failure("post_send") : 0;
    if (error) { *bad = wr; return error; }
    struct fake_qp *to = from->peer < PAIRS ? pairs[from->peer] : NULL;
    int status;
    if (from->qp.state == IBV_QPS_ERR) status = IBV_WC_WR_FLUSH_ERR;
    else if (status_to_give != IBV_WC_SUCCESS) { status = status_to_give; status_to_give = IBV_WC_SUCCESS; }
    else if (!to || to->qp.state < IBV_QPS_RTR || to->qp.state > IBV_QPS_RTS) status = IBV_WC_RETRY_EXC_ERR;
    else status = carry_out(from, to, wr);
    if (status != IBV_WC_SUCCESS) from->qp.state = IBV_QPS_ERR;
    if (status != IBV_WC_SUCCESS || (wr->send_flags & IBV_SEND_SIGNALED)) {
        struct ibv_wc done = {.wr_id = wr->wr_id, .status = status, .qp_num = on->qp_num};
        complete(from->attr.send_cq, &done);
    }
    return 0;
}

/* ---- the rest */

struct ibv_device **ibv_get_device_list(int *count) {
    struct ibv_device **list = calloc(2, sizeof *list);
    list[0] = &adapter;
    *count = 1;
    return list;
}
void ibv_free_device_list(struct ibv_device **list) { free(list); }
const char *ibv_get_device_name(struct ibv_device *device) { return device->name; }
struct ibv_context *ibv_open_device(struct ibv_device *device) {
    struct ibv_context *context = make("open_device", sizeof *context);
    if (!context) return NULL;
    context->device = device;
    context->ops.poll_cq = poll_cq;
    context->ops.req_notify_cq = req_notify_cq;
    context->ops.post_srq_recv = post_srq_recv;
    context->ops.post_send = post_send;
    context->async_fd = eventfd(0, EFD_NONBLOCK);
    context->num_comp_vectors = 1;
    return context;
}
int ibv_close_device(struct ibv_context *context) { close(context->async_fd); return destroy(context); }
int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes) {
    (void) context;
    memset(attributes, 0, sizeof *attributes);
    attributes->phys_port_cnt = 1;
    attributes->max_qp = PAIRS;
    attributes->max_qp_wr = attributes->max_cqe = attributes->max_srq_wr = 1 << 20;
    if (failure("room for two")) attributes->max_srq_wr = 100; /* receives, of 66 for each peer */
    attributes->max_mr = KEYS;
    attributes->max_qp_rd_atom = attributes->max_qp_init_rd_atom = 16;
    return failure("query_device");
}
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *compat) {
    struct ibv_port_attr *attributes = (struct ibv_port_attr *) compat;
    (void) context;
    (void) port;
    attributes->state = IBV_PORT_ACTIVE;
    attributes->active_mtu = attributes->max_mtu = IBV_MTU_4096;
    attributes->gid_tbl_len = 1;
    attributes->max_msg_sz = 1u << 31;
    attributes->link_layer = IBV_LINK_LAYER_ETHERNET;
    return failure("query_port");
}
int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry,
                      uint32_t flags, size_t size) {
    (void) context; (void) port; (void) flags; (void) size;
    if (index) { errno = ENODATA; return ENODATA; }
    memset(entry, 0, sizeof *entry);
    entry->gid.raw[10] = entry->gid.raw[11] = 0xff;
    entry->gid.raw[12] = 10;
    entry->gid.raw[15] = 1;
    entry->gid_type = IBV_GID_TYPE_ROCE_V2;
    return 0;
}
struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    struct ibv_pd *pd = make("alloc_pd", sizeof *pd);
    if (pd) pd->context = context;
    return pd;
}
int ibv_dealloc_pd(struct ibv_pd *pd) { return destroy(pd); }
struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access) {
    struct ibv_mr *mr = make("reg_mr", sizeof *mr);
    (void) access;
    if (!mr) return NULL;
    mr->context = pd->context;
    mr->addr = address;
    mr->length = length;
    pthread_mutex_lock(&world);
    do last_key = (last_key + 1) % KEYS; while (!last_key || regions[last_key]);
    mr->lkey = mr->rkey = last_key;
    regions[last_key] = mr;
    pthread_mutex_unlock(&world);
    return mr;
}
int ibv_dereg_mr(struct ibv_mr *mr) { regions[mr->lkey] = NULL; return destroy(mr); }
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
    struct ibv_comp_channel *channel = make("create_comp_channel", sizeof *channel);
    if (!channel) return NULL;
    channel->context = context;
    channel->fd = eventfd(0, EFD_NONBLOCK);
    return channel;
}
int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) { close(channel->fd); return destroy(channel); }
struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *tag, struct ibv_comp_channel *channel,
                             int vector) {
    struct fake_cq *cq = make("create_cq", sizeof *cq);
    (void) tag; (void) vector;
    if (!cq) return NULL;
    cq->cq.context = context;
    cq->cq.channel = channel;
    cq->size = entries + 64;
    cq->ring = calloc(cq->size, sizeof *cq->ring);
    pthread_mutex_init(&cq->lock, NULL);
    return &cq->cq;
}
int ibv_destroy_cq(struct ibv_cq *cq) { free(((struct fake_cq *) cq)->ring); return destroy(cq); }
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **tag) {
    eventfd_t count;
    *cq = NULL;
    *tag = NULL;
    return eventfd_read(channel->fd, &count);
}
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned count) { (void) cq; (void) count; }
struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attributes) {
    struct fake_srq *srq = make("create_srq", sizeof *srq);
    if (!srq) return NULL;
    srq->srq.context = pd->context;
    srq->size = attributes->attr.max_wr;
    srq->ring = calloc(srq->size, sizeof *srq->ring);
    pthread_mutex_init(&srq->lock, NULL);
    return &srq->srq;
}
int ibv_destroy_srq(struct ibv_srq *srq) { free(((struct fake_srq *) srq)->ring); return destroy(srq); }
struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attributes) {
    if (attributes->cap.max_inline_data > INLINE) { errno = EINVAL; return NULL; }
    struct fake_qp *pair = make("create_qp", sizeof *pair);
    if (!pair) return NULL;
    pair->attr = *attributes;
    pair->qp.context = pd->context;
    pair->peer = PAIRS;
    pthread_mutex_lock(&world);
    do last_pair = (last_pair + 1) % PAIRS; while (!last_pair || pairs[last_pair]);
    pair->qp.qp_num = last_pair;
    pairs[last_pair] = pair;
    pthread_mutex_unlock(&world);
    return &pair->qp;
}
int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attributes, int mask) {
    static const char *names[] = {"to RESET", "to INIT", "to RTR", "to RTS", "", "", "to ERR"};
    int error = failure("modify_qp");
    if (!error) error = failure(names[attributes->qp_state]);
    if (error) return error;
    if (mask & IBV_QP_DEST_QPN) ((struct fake_qp *) qp)->peer = attributes->dest_qp_num;
    qp->state = attributes->qp_state;
    return 0;
}
/* Kept, since another thread may be about to deliver to it. */
int ibv_destroy_qp(struct ibv_qp *qp) {
    pairs[qp->qp_num] = NULL;
    qp->state = IBV_QPS_RESET;
    __atomic_sub_fetch(&objects, 1, __ATOMIC_RELAXED);
    return 0;
}
int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *to) {
    eventfd_t count;
    if (eventfd_read(context->async_fd, &count)) return -1;
    *to = event;
    return events-- > 0 ? 0 : -1;
}
void ibv_ack_async_event(struct ibv_async_event *of) { (void) of; }
const char *ibv_wc_status_str(enum ibv_wc_status status) { return status == IBV_WC_RETRY_EXC_ERR ? "transport retry counter exceeded" : "a status of the imitation"; }
const char *ibv_event_type_str(enum ibv_event_type type) { (void) type; return "an event of the imitation"; }

/* ---- RDMA CM: between the ranks of this process; who connects to another one is never answered, as if it were dead */

#define PORTS 65536

/* As far as it is used; rdma/rdma_cma.h may not be installed. */
struct rdma_event_channel { int fd; };
struct rdma_conn_param {
    const void *private_data;
    uint8_t private_data_len, responder_resources, initiator_depth, flow_control, retries, rnr_retries, srq;
    uint32_t qp_num;
};
struct rdma_cm_id {
    struct ibv_context *verbs;
    struct rdma_event_channel *channel;
    char unused[400];
};
struct rdma_cm_event {
    struct rdma_cm_id *id, *listen_id;
    int event, status;
    struct rdma_conn_param param;
    char unused[32];
};
enum { ADDRESS_RESOLVED = 0, ROUTE_RESOLVED = 2, REQUEST = 4, RESPONSE = 5, UNREACHABLE = 7, REJECTED = 8, ESTABLISHED = 9, DISCONNECTED = 10 };

struct fake_event { struct rdma_cm_event event; char data[256]; struct fake_event *next; };
struct fake_channel { struct rdma_event_channel channel; struct fake_event *first; };
struct fake_id { struct rdma_cm_id id; struct fake_id *peer; uint32_t own_pair, peers_pair; uint16_t port; };

static struct ibv_context known_by_cm = {.device = &adapter};
static struct fake_id *listeners[PORTS];
static uint16_t last_port;

/* Inside the lock. */
static struct fake_event *happen(struct fake_id *to, int kind, int status) {
    struct fake_channel *channel = (struct fake_channel *) to->id.channel;
    struct fake_event *event = calloc(1, sizeof *event), **end = &channel->first;
    event->event.id = &to->id;
    event->event.event = kind;
    event->event.status = status;
    while (*end) end = &(*end)->next;
    *end = event;
    eventfd_write(channel->channel.fd, 1);
    return event;
}

static int happens(struct rdma_cm_id *id, const char *verb, int kind) {
    int error = failure(verb);
    if (error) { errno = error; return -1; }
    pthread_mutex_lock(&world);
    happen((struct fake_id *) id, kind, 0);
    pthread_mutex_unlock(&world);
    return 0;
}

struct rdma_event_channel *rdma_create_event_channel(void) {
    struct fake_channel *channel = make("create_event_channel", sizeof *channel);
    if (channel) channel->channel.fd = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);
    return channel ? &channel->channel : NULL;
}
void rdma_destroy_event_channel(struct rdma_event_channel *channel) { close(channel->fd); destroy(channel); }
int rdma_get_cm_event(struct rdma_event_channel *from, struct rdma_cm_event **to) {
    struct fake_channel *channel = (struct fake_channel *) from;
    eventfd_t count;
    pthread_mutex_lock(&world);
    struct fake_event *event = eventfd_read(from->fd, &count) ? NULL : channel->first;
    if (event) channel->first = event->next;
    pthread_mutex_unlock(&world);
    *to = event ? &event->event : NULL;
    errno = EAGAIN;
    return event ? 0 : -1;
}
int rdma_ack_cm_event(struct rdma_cm_event *event) { free(event); return 0; }
const char *rdma_event_str(int event) { (void) event; return "an event of the imitation"; }

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **to, void *context, int space) {
    struct fake_id *id = make("create_id", sizeof *id);
    (void) context; (void) space;
    if (!id) return -1;
    id->id.channel = channel;
    *to = &id->id;
    return 0;
}
int rdma_destroy_id(struct rdma_cm_id *of) {
    struct fake_id *id = (struct fake_id *) of;
    pthread_mutex_lock(&world);
    if (listeners[id->port] == id) listeners[id->port] = NULL;
    if (id->peer) id->peer->peer = NULL;
    for (struct fake_event **each = &((struct fake_channel *) of->channel)->first; *each;) {
        struct fake_event *event = *each;
        if (event->event.id == of) { *each = event->next; free(event); }
        else each = &event->next;
    }
    pthread_mutex_unlock(&world);
    return destroy(id);
}
int rdma_bind_addr(struct rdma_cm_id *id, const unsigned char *address) {
    static const unsigned char own[] = {10, 0, 0, 1};
    if (!memcmp(address + 4, own, sizeof own)) id->verbs = &known_by_cm;
    return 0;
}
int rdma_listen(struct rdma_cm_id *on, int backlog) {
    struct fake_id *id = (struct fake_id *) on;
    (void) backlog;
    pthread_mutex_lock(&world);
    do last_port++; while (!last_port || listeners[last_port]);
    id->port = last_port;
    listeners[last_port] = id;
    pthread_mutex_unlock(&world);
    return 0;
}
uint16_t rdma_get_src_port(struct rdma_cm_id *id) { return __builtin_bswap16(((struct fake_id *) id)->port); }
int rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t length) {
    (void) id; (void) level; (void) name; (void) value; (void) length;
    return 0;
}
int rdma_resolve_addr(struct rdma_cm_id *id, const unsigned char *from, const unsigned char *to, int millis) {
    (void) from; (void) millis;
    ((struct fake_id *) id)->peers_pair = to[2] << 8 | to[3]; /* the port, until there is a queue pair */
    return happens(id, "resolve_addr", ADDRESS_RESOLVED);
}
int rdma_resolve_route(struct rdma_cm_id *id, int millis) { (void) millis; return happens(id, "resolve_route", ROUTE_RESOLVED); }
int rdma_connect(struct rdma_cm_id *on, struct rdma_conn_param *with) {
    struct fake_id *id = (struct fake_id *) on;
    int error = failure("unreachable"), refused = failure("refused"), late = failure("late"), silent = failure("silent");
    struct fake_id *child = error || refused || silent ? NULL : make("request", sizeof *child);
    id->own_pair = with->qp_num;
    pthread_mutex_lock(&world);
    struct fake_id *listener = listeners[id->peers_pair];
    if (error || late) happen(id, UNREACHABLE, -(error | late));
    if (refused) happen(id, REJECTED, -refused);
    if (!child || !listener) {
        pthread_mutex_unlock(&world);
        return child ? destroy(child) : 0;
    }
    child->id.verbs = &known_by_cm;
    child->id.channel = listener->id.channel;
    child->peers_pair = with->qp_num;
    child->peer = id;
    id->peer = child;
    struct fake_event *request = happen(child, REQUEST, 0);
    request->event.listen_id = &listener->id;
    request->event.param = *with;
    memcpy(request->data, with->private_data, with->private_data_len);
    request->event.param.private_data = request->data;
    pthread_mutex_unlock(&world);
    return 0;
}
int rdma_init_qp_attr(struct rdma_cm_id *on, struct ibv_qp_attr *attributes, int *mask) {
    *mask = IBV_QP_STATE;
    if (attributes->qp_state == IBV_QPS_RTR) {
        attributes->dest_qp_num = ((struct fake_id *) on)->peers_pair;
        *mask |= IBV_QP_DEST_QPN;
    }
    return 0;
}
/* Tells the other side of something, if it is still there. */
static int tell(struct rdma_cm_id *from, int kind, uint32_t pair) {
    struct fake_id *id = (struct fake_id *) from;
    pthread_mutex_lock(&world);
    if (id->peer) {
        if (pair) id->peer->peers_pair = pair;
        happen(id->peer, kind, 0);
        if (kind == REJECTED || kind == DISCONNECTED) id->peer = id->peer->peer = NULL;
    }
    pthread_mutex_unlock(&world);
    return 0;
}
int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *with) {
    happens(id, "accept", ESTABLISHED); /* at once, as with iWARP, whether or not the other side hears of it */
    return tell(id, RESPONSE, with->qp_num);
}
int rdma_establish(struct rdma_cm_id *id) { return tell(id, ESTABLISHED, 0); }
int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t length) { (void) data; (void) length; return tell(id, REJECTED, 0); }
int rdma_disconnect(struct rdma_cm_id *id) { return tell(id, DISCONNECTED, 0); }
