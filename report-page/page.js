// The charts of a report, drawn by Chart.js (before this in the page) from the data that stands in it.
// Without scripts the tables say the same.
;(() => {
  const data = JSON.parse(document.getElementById('data').textContent)
  const drawn = []
  const colour = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  const RESULTS = {
    baseline: 'muted',
    kept: 'good',
    no_gain: 'muted',
    rolled_back: 'warn',
    no_change: 'muted',
    not_started: 'warn',
    failed: 'bad',
  }
  const ENDS = { completed: 'good', failed: 'bad', open: 'open' }
  const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
  const LABEL = 90 // pixels that a time on the axis has for itself
  const narrow = () => window.innerWidth < 640

  function draw() {
    for (const chart of drawn.splice(0)) chart.destroy()
    Chart.defaults.color = colour('muted')
    Chart.defaults.borderColor = colour('line')
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily
    Chart.defaults.font.size = 13
    Chart.defaults.animation = false
    drawRates(document.getElementById('rate-chart'))
    drawTimeline(document.getElementById('timeline-chart'))
  }

  const jump =
    (...items) =>
    (_event, hit) => {
      const anchor = hit.length > 0 ? items[hit[0].datasetIndex]?.[hit[0].index]?.anchor : undefined
      if (anchor !== undefined) location.hash = anchor
    }

  function drawRates(canvas) {
    if (canvas === null) return
    const { rates } = data
    const colours = rates.map((one) => colour(RESULTS[one.result] ?? 'muted'))
    const known = rates.flatMap((one) => [one.rate, one.claimed].filter((n) => n !== null))
    const claims = rates.map((one) =>
      one.claimed !== null && one.claimed !== one.rate ? one.claimed : null,
    )
    const isUndone = rates.some((one) => one.result === 'rolled_back')
    drawn.push(
      new Chart(canvas, {
        type: 'line',
        data: {
          labels: rates.map((one) => one.label),
          datasets: [
            {
              label: 'measured',
              data: rates.map((one) => one.rate),
              spanGaps: true,
              borderColor: colour('muted'),
              borderWidth: 2,
              tension: 0,
              pointRadius: rates.map((one) =>
                one.result === 'rolled_back' || one.result === 'failed' ? 8 : 6,
              ),
              pointHoverRadius: 9,
              pointBackgroundColor: colours,
              pointBorderColor: colour('page'),
              pointBorderWidth: 2,
              pointStyle: rates.map((one) =>
                one.result === 'rolled_back'
                  ? 'rectRot'
                  : one.result === 'failed'
                    ? 'triangle'
                    : 'circle',
              ),
              // A step that was undone is not the way on.
              segment: {
                borderDash: (s) =>
                  [s.p0DataIndex, s.p1DataIndex].some((n) => rates[n].result === 'rolled_back')
                    ? [4, 4]
                    : undefined,
              },
            },
            ...(claims.every((one) => one === null)
              ? []
              : [
                  {
                    label: 'claimed by the agent',
                    data: claims,
                    showLine: false,
                    pointStyle: 'circle',
                    pointRadius: 6,
                    pointHoverRadius: 8,
                    pointBackgroundColor: 'transparent',
                    pointBorderColor: colour('warn'),
                    pointBorderWidth: 2,
                  },
                ]),
          ],
        },
        options: {
          maintainAspectRatio: false,
          clip: 12,
          onClick: jump(rates, rates),
          interaction: { mode: 'nearest', intersect: true },
          layout: { padding: { top: 10, right: 12 } },
          scales: {
            x: { grid: { display: false } },
            y: {
              min: Math.min(100, ...known) >= 60 ? 50 : 0,
              max: 100,
              ticks: { stepSize: 25, callback: (n) => `${n} %` },
            },
          },
          plugins: {
            legend: legend(isUndone || claims.some((one) => one !== null), (own) =>
              isUndone
                ? [
                    ...own,
                    {
                      text: 'a step that was rolled back',
                      pointStyle: 'line',
                      lineDash: [4, 4],
                      lineWidth: 2,
                      strokeStyle: colour('muted'),
                    },
                  ]
                : own,
            ),
            tooltip: {
              callbacks: {
                title: ([item]) => (item.label === 'start' ? 'Start' : item.label),
                label: (item) => `${item.formattedValue} % ${item.dataset.label}`,
                afterLabel: (item) => cut(rates[item.dataIndex].text, 80),
              },
            },
          },
        },
      }),
    )
  }

  function drawTimeline(canvas) {
    if (canvas === null) return
    const { lanes, bars, waits, marks, breaks } = data.timeline
    canvas.parentElement.style.height = `${lanes.length * 38 + (waits.length > 0 ? 110 : 70)}px`
    const end = marks.at(-1)?.at ?? 1
    const shown = ({ datasetIndex, dataIndex }) => [bars, waits][datasetIndex][dataIndex]
    const onLane = ({ from, to, lane }) => ({ x: [from, to], y: lanes[lane] })
    // The same second is written once.
    const label = (at, n, ticks) =>
      n > 0 && clock(timeAt(marks, ticks[n - 1].value), end) === clock(timeAt(marks, at), end)
        ? ''
        : clock(timeAt(marks, at), end)
    drawn.push(
      new Chart(canvas, {
        type: 'bar',
        data: {
          labels: lanes,
          datasets: [
            {
              label: 'turns',
              data: bars.map(onLane),
              grouped: false,
              order: 1,
              barThickness: 16,
              minBarLength: 4,
              borderRadius: 3,
              borderSkipped: false,
              backgroundColor: bars.map((bar) => colour(ENDS[bar.outcome] ?? 'warn')),
            },
            // No agent worked in it, so it is drawn over the turn.
            {
              label: 'waits',
              data: waits.map(onLane),
              grouped: false,
              order: 0,
              barThickness: 16,
              minBarLength: 4,
              backgroundColor: colour('wait'),
            },
          ],
        },
        options: {
          indexAxis: 'y',
          maintainAspectRatio: false,
          onClick: jump(bars, waits),
          scales: {
            x: {
              type: 'linear',
              min: 0,
              max: Math.max(end, 1),
              afterBuildTicks: (axis) => (axis.ticks = timesOn(axis)),
              ticks: {
                autoSkip: false,
                maxRotation: 0,
                callback: (at, n, ticks) => label(at, n, ticks),
              },
            },
            y: {
              grid: { display: false },
              ticks: { callback: (n) => cut(lanes[n] ?? '', narrow() ? 14 : 28) },
            },
          },
          plugins: {
            legend: legend(waits.length > 0, () => [
              {
                text: 'waited for an answer',
                pointStyle: 'rect',
                fillStyle: colour('wait'),
                strokeStyle: colour('wait'),
              },
            ]),
            tooltip: {
              filter: (_item, n) => n === 0,
              callbacks: {
                title: ([item]) => lanes[shown(item).lane],
                label: (item) => shown(item).text,
              },
            },
          },
        },
        plugins: [{ id: 'silences', afterDatasetsDraw: (chart) => drawBreaks(chart, breaks) }],
      }),
    )
  }

  function drawBreaks({ ctx, chartArea, scales }, breaks) {
    ctx.save()
    ctx.strokeStyle = colour('muted')
    ctx.fillStyle = colour('muted')
    ctx.setLineDash([2, 4])
    ctx.textAlign = 'center'
    ctx.font = `12px ${Chart.defaults.font.family}`
    for (const { at, text } of breaks) {
      const x = scales.x.getPixelForValue(at)
      ctx.beginPath()
      ctx.moveTo(x, chartArea.top + 12)
      ctx.lineTo(x, chartArea.bottom)
      ctx.stroke()
      ctx.fillText(text, x, chartArea.top + 6)
    }
    ctx.restore()
  }

  /** What the parts of a chart are, where that is not plain. `itemsOf` gets those of its data. */
  function legend(isShown, itemsOf) {
    const { generateLabels } = Chart.defaults.plugins.legend.labels
    return {
      display: isShown,
      position: 'bottom',
      onClick: () => undefined,
      labels: {
        usePointStyle: true,
        padding: 18,
        generateLabels: (chart) =>
          itemsOf(generateLabels(chart)).map((one) => ({ fontColor: colour('muted'), ...one })),
      },
    }
  }

  /** Places from end to end of an axis, as many as there is room to write at. */
  function timesOn({ min, max, width }) {
    const parts = Math.max(1, Math.min(6, Math.floor(width / LABEL) - 1))
    return Array.from({ length: parts + 1 }, (_, n) => ({ value: min + ((max - min) * n) / parts }))
  }

  /** The time that a place on the axis stands for. */
  function timeAt(marks, at) {
    const after = marks.findIndex((mark) => mark.at >= at)
    const [a, b] = [marks[after - 1], marks[after]]
    if (b === undefined) return marks.at(-1)?.time ?? 0
    if (a === undefined || a.at === b.at) return b.time
    return a.time + ((at - a.at) / (b.at - a.at)) * (b.time - a.time)
  }

  function clock(time, length) {
    const options =
      length < 600_000
        ? { hour: '2-digit', minute: '2-digit', second: '2-digit' }
        : { hour: '2-digit', minute: '2-digit' }
    return new Date(time).toLocaleTimeString('en-GB', options)
  }

  /** What an address names may be folded away. */
  function unfold() {
    const target =
      location.hash === ''
        ? null
        : document.getElementById(decodeURIComponent(location.hash.slice(1)))
    for (let at = target; at !== null; at = at.parentElement)
      if (at.tagName === 'DETAILS') at.open = true
    target?.scrollIntoView()
  }

  draw()
  unfold()
  window.addEventListener('hashchange', unfold)
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
})()
