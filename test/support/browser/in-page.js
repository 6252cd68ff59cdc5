// Code of tests that runs within a page. Plain JavaScript, as no other code of ours uses a DOM.
globalThis.inPage = {
  /** Data and painted pixels of a chart of Chart.js. */
  chart(id) {
    const { data, canvas } = globalThis.Chart.getChart(id)
    const copy = Object.assign(document.createElement('canvas'), {
      width: canvas.width,
      height: canvas.height,
    }).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const pixels = copy.getImageData(0, 0, canvas.width, canvas.height).data
    return {
      data: data.datasets.map((one) => one.data),
      painted: pixels.filter((value, n) => n % 4 === 3 && value > 0).length,
    }
  },
  /** Written labels of the x axis of a chart, from left to right: text, and the pixels that they take. */
  times(id) {
    const {
      scales: { x },
      ctx,
    } = globalThis.Chart.getChart(id)
    ctx.font = `${globalThis.Chart.defaults.font.size}px ${globalThis.Chart.defaults.font.family}`
    return x.ticks
      .map(({ label }, n) => ({
        label,
        middle: x.getPixelForTick(n),
        width: ctx.measureText(label).width,
      }))
      .filter(({ label }) => label !== '')
      .map(({ label, middle, width }) => ({
        label,
        from: middle - width / 2,
        to: middle + width / 2,
      }))
  },
  /** The colour that is painted at a place of the axes of a chart. */
  colourAt(id, x, y) {
    const { scales, canvas, currentDevicePixelRatio: ratio } = globalThis.Chart.getChart(id)
    const copy = Object.assign(document.createElement('canvas'), {
      width: canvas.width,
      height: canvas.height,
    }).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const [r, g, b] = copy.getImageData(
      Math.round(scales.x.getPixelForValue(x) * ratio),
      Math.round(scales.y.getPixelForValue(y) * ratio),
      1,
      1,
    ).data
    return `rgb(${r}, ${g}, ${b})`
  },
  legend: (id) =>
    (({ legend }) => (legend.options.display ? legend.legendItems.map(({ text }) => text) : []))(
      globalThis.Chart.getChart(id),
    ),
  unfold: () => document.querySelectorAll('details').forEach((one) => (one.open = true)),
  width: () => document.documentElement.scrollWidth,
  focused: () => ({
    tag: document.activeElement?.tagName ?? '',
    text: document.activeElement?.textContent ?? '',
  }),
  links: () => [...document.querySelectorAll('a[href]')].map((one) => one.href),
  owned: () => globalThis.owned ?? null,
  /** Texts with too little contrast to their background (WCAG AA: 4.5). */
  weakContrast() {
    const rgb = (text) => (/\(([^)]+)\)/.exec(text)?.[1] ?? '0,0,0,0').split(/[ ,/]+/).map(Number)
    const light = (colour) => {
      const [r, g, b] = colour.map((n) =>
        n / 255 <= 0.03928 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const behind = (element) => {
      for (let at = element; at !== null; at = at.parentElement) {
        const colour = rgb(getComputedStyle(at).backgroundColor)
        if ((colour[3] ?? 1) === 1) return colour
      }
      return [255, 255, 255]
    }
    const weak = new Set()
    for (const element of document.querySelectorAll(
      'h1, h2, p, dt, dd, td, th, a, .chip, .verdict, .muted, .level, summary, li',
    )) {
      if (
        element.textContent.trim() === '' ||
        element.closest('.diff') !== null ||
        element.className === 'skip'
      )
        continue
      const [text, back] = [light(rgb(getComputedStyle(element).color)), light(behind(element))]
      const contrast = (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05)
      if (contrast < 4.5) weak.add(`${element.tagName}.${element.className} ${contrast.toFixed(2)}`)
    }
    return [...weak]
  },
}
