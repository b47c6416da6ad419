'use strict';

// Draws a chart for every benchmark from the values in its table.
(() => {
  const MOST_SERIES = 6; // in a chart at first; a click on a name shows one more
  const LINES_FROM_SIZES = 4; // fewer sizes are told apart better as bars
  const LOGARITHMIC_FROM = 20; // bars whose values differ by more than this factor
  const POINTS = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot', 'star', 'rectRounded', 'cross'];
  const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
  const LABEL_HEIGHT = 22; // of a number on the axis, with a gap
  const LEGEND_WIDTH = 140; // of an entry, about
  const PRINTED_WIDTH = 680; // of a page, in its pixels; the style sheet gives the height
  const PRINTED_HEIGHT = 330;

  const root = document.documentElement;
  const items = id => Array.from(document.querySelectorAll(`#${id} > i`));
  const systems = items('systems').map(item => item.dataset.series);
  const names = new Map(items('systems').map(item => [item.dataset.series, item.textContent]));
  const ranks = new Map(items('systems').map(item => [item.dataset.series, Number(item.dataset.rank)]));
  const runs = items('runs').map(item => item.textContent);
  let charts = [];

  const sizeText = bytes => {
    let unit = 0;
    while (unit < 3 && bytes >= 1024 && bytes % 1024 === 0) {
      bytes /= 1024;
      unit++;
    }
    return `${bytes} ${['B', 'KiB', 'MiB', 'GiB'][unit]}`;
  };
  const numberText = value => Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 6 });
  const style = name => getComputedStyle(root).getPropertyValue(name).trim();

  function pointsOf(section) {
    return Array.from(section.querySelectorAll('td[data-value]'), cell => ({
      series: cell.dataset.series,
      run: Number(cell.dataset.run),
      bytes: Number(cell.dataset.bytes),
      value: Number(cell.dataset.value),
      low: Number(cell.dataset.low),
      high: Number(cell.dataset.high),
    })).filter(point => Number.isFinite(point.value));
  }

  // Colour and mark tell the system, the dashes the run.
  function look(series, run) {
    const colours = style('--series').split(' ');
    const place = systems.indexOf(series);
    const colour = colours[place % colours.length];
    const own = series === 'galerna' || series.startsWith('galerna ');
    return {
      label: runs.length > 1 ? `${names.get(series)}, run ${run + 1}` : names.get(series),
      borderColor: colour,
      backgroundColor: colour,
      borderDash: DASHES[run % DASHES.length],
      pointStyle: POINTS[place % POINTS.length],
      pointRadius: 4,
      clip: 8,
      borderWidth: own ? 3 : 1.75,
    };
  }

  // What a point of a line or the value of a bar is to Chart.js; there may be no value.
  const plainValue = point => (point === null || point.bytes === undefined ? point?.value ?? null : { x: point.bytes, y: point.value });

  function datasets(points, values) {
    const found = [];
    systems.forEach(series => runs.forEach((_, run) => {
      const mine = points.filter(point => point.series === series && point.run === run);
      if (mine.length > 0) {
        const data = values(mine);
        found.push({ ...look(series, run), rank: ranks.get(series), bounds: data, data: data.map(plainValue) });
      }
    }));
    [...found].sort((one, other) => one.rank - other.rank).slice(MOST_SERIES).forEach(set => { set.hidden = true; });
    return found;
  }

  // The 95 % interval of a median, as a thin line with two ends.
  const intervals = {
    id: 'intervals',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales: { y } } = chart;
      ctx.save();
      ctx.beginPath();
      ctx.rect(area.left, area.top, area.width, area.height);
      ctx.clip();
      chart.data.datasets.forEach((set, index) => {
        if (!chart.isDatasetVisible(index)) {
          return;
        }
        ctx.strokeStyle = chart.config.type === 'bar' ? style('--ink') : set.borderColor;
        ctx.lineWidth = 1;
        chart.getDatasetMeta(index).data.forEach((mark, place) => {
          const value = set.bounds[place];
          if (!value || !Number.isFinite(value.low) || !Number.isFinite(value.high) || value.low === value.high) {
            return;
          }
          const top = y.getPixelForValue(value.high);
          const bottom = Number.isFinite(y.getPixelForValue(value.low)) ? y.getPixelForValue(value.low) : area.bottom;
          ctx.beginPath();
          ctx.moveTo(mark.x, top);
          ctx.lineTo(mark.x, bottom);
          [top, bottom].forEach(end => {
            ctx.moveTo(mark.x - 3, end);
            ctx.lineTo(mark.x + 3, end);
          });
          ctx.stroke();
        });
      });
      ctx.restore();
    },
  };

  function axis(title) {
    return {
      title: { display: true, text: title, color: style('--quiet') },
      grid: { color: style('--line') },
      border: { color: style('--line') },
      ticks: { color: style('--quiet'), maxRotation: 0 },
    };
  }

  // Lines at 1, 2 and 5 times the powers of ten, or at the powers alone where there is no room for more.
  function chooseRoundNumbers(scale) {
    const from = Math.floor(Math.log10(scale.min) + 1e-9);
    const to = Math.ceil(Math.log10(scale.max) - 1e-9);
    const factors = scale.height / Math.log10(scale.max / scale.min) >= 3 * LABEL_HEIGHT ? [1, 2, 5] : [1];
    const values = [];
    for (let power = from; power <= to; power++) {
      factors.forEach(factor => values.push(Number(`${factor}e${power}`)));
    }
    scale.ticks = values.filter(value => value >= scale.min && value <= scale.max).map(value => ({ value }));
  }

  function valueAxis(title, logarithmic, points) {
    const plain = axis(title);
    if (!logarithmic) {
      return { ...plain, type: 'linear', beginAtZero: true };
    }
    const smallest = Math.min(...points.map(point => point.value));
    return {
      ...plain,
      type: 'logarithmic',
      suggestedMin: smallest / 1.5,
      afterBuildTicks: chooseRoundNumbers,
      ticks: { ...plain.ticks, autoSkip: false, callback: numberText },
    };
  }

  function sizeAxis(sizes) {
    const plain = axis('size of a message');
    const powers = [];
    for (let power = 1; power <= sizes.at(-1); power *= 2) {
      if (power >= sizes[0]) {
        powers.push(power);
      }
    }
    // Every power of two while they have room, then every second one, ...
    const choose = scale => {
      const room = Math.max(2, Math.floor(scale.width / 62));
      const step = Math.ceil(powers.length / room);
      scale.ticks = powers.filter((_, place) => place % step === 0).map(value => ({ value }));
    };
    return {
      ...plain,
      type: 'logarithmic',
      min: sizes[0],
      max: sizes.at(-1),
      afterBuildTicks: choose,
      ticks: { ...plain.ticks, autoSkip: false, callback: sizeText },
    };
  }

  // A logarithmic axis has no place for 0.
  const hasZero = points => points.some(point => point.value === 0);

  function lines(points, unit, title) {
    const drawable = points.filter(point => point.bytes > 0);
    const logarithmic = unit !== '%' && !hasZero(drawable);
    const sizes = [...new Set(drawable.map(point => point.bytes))].sort((a, b) => a - b);
    const sets = datasets(drawable, mine => mine);
    const shown = sets.filter(set => !set.hidden).flatMap(set => set.bounds);
    return {
      type: 'line',
      data: { datasets: sets },
      scales: { x: sizeAxis(sizes), y: valueAxis(title, logarithmic, shown) },
    };
  }

  function bars(points, unit, title) {
    const sizes = [...new Set(points.map(point => point.bytes))].sort((a, b) => a - b);
    const values = points.map(point => point.value).filter(value => value > 0);
    const logarithmic = unit !== '%' && values.length > 0 && !hasZero(points) && Math.max(...values) / Math.min(...values) > LOGARITHMIC_FROM;
    const labels = sizes.map(size => (size > 0 ? sizeText(size) : ''));
    const bySize = mine => sizes.map(size => {
      const point = mine.find(each => each.bytes === size);
      return point ? { value: point.value, low: point.low, high: point.high } : null;
    });
    const data = datasets(points, bySize).map((set, place) => ({
      ...set,
      borderWidth: set.borderDash.length > 0 ? 1.5 : 0,
      // Bars have no dashes: those of later runs are hollow.
      backgroundColor: set.borderDash.length > 0 ? `${set.backgroundColor}44` : set.backgroundColor,
      pointStyle: 'rect',
      maxBarThickness: 40,
    }));
    return {
      type: 'bar',
      data: { labels, datasets: data },
      scales: {
        x: { ...axis(sizes.some(size => size > 0) ? 'size of a message' : ''), grid: { display: false } },
        y: valueAxis(title, logarithmic, points.filter(point => point.value > 0)),
      },
    };
  }

  // Of several runs the dashes are shown, otherwise the marks.
  function legendLabels(type) {
    const dashed = type === 'line' && runs.length > 1;
    return {
      color: style('--ink'),
      usePointStyle: true,
      pointStyleWidth: dashed ? 26 : 16,
      boxHeight: 7,
      padding: 12,
      generateLabels: chart => Chart.defaults.plugins.legend.labels.generateLabels(chart).map(label =>
        dashed
          ? { ...label, pointStyle: 'line', lineDash: chart.data.datasets[label.datasetIndex].borderDash }
          : { ...label, lineWidth: 1.5 }),
    };
  }

  function draw(section) {
    const unit = section.dataset.unit;
    const points = pointsOf(section);
    const sizes = new Set(points.filter(point => point.bytes > 0).map(point => point.bytes));
    const frame = section.querySelector('.chart');
    if (points.length === 0) {
      frame.hidden = true;
      return;
    }
    const legendLines = Math.ceil(systems.length * runs.length / Math.max(1, Math.floor(frame.clientWidth / LEGEND_WIDTH)));
    frame.style.setProperty('--legend', `${1.25 * legendLines}rem`);
    const title = `${section.dataset.quantity}, ${unit}`;
    const { type, data, scales } = (sizes.size >= LINES_FROM_SIZES ? lines : bars)(points, unit, title);
    charts.push(new Chart(frame.querySelector('canvas'), {
      type,
      data,
      plugins: [intervals],
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        devicePixelRatio: Math.max(2, window.devicePixelRatio),
        interaction: { mode: 'nearest', axis: 'xy', intersect: false },
        scales,
        plugins: {
          legend: { position: 'bottom', labels: legendLabels(type) },
          tooltip: {
            callbacks: {
              title: items => type === 'bar' ? items[0].label : sizeText(items[0].parsed.x),
              label: item => `${item.dataset.label}: ${numberText(item.parsed.y)} ${unit}`,
            },
          },
        },
      },
    }));
  }

  function drawAll() {
    charts.forEach(chart => chart.destroy());
    charts = [];
    document.querySelectorAll('section.benchmark').forEach(draw);
  }

  drawAll();
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  window.addEventListener('beforeprint', () => {
    root.classList.add('printing');
    drawAll();
    charts.forEach(chart => chart.resize(PRINTED_WIDTH, PRINTED_HEIGHT));
  });
  window.addEventListener('afterprint', () => {
    root.classList.remove('printing');
    drawAll();
  });
})();
