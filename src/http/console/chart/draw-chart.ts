import { max, min } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type Html, html } from '../../html/html.js'
import { tableHtml } from '../elements/list-html.js'
import type { Chart, ChartSeries } from './chart.js'

/** Size of a plot in its own units; the stylesheet fits it to the page. */
const WIDTH = 560
const HEIGHT = 200
const MARGIN = { top: 12, right: 8, bottom: 26, left: 58 }
/** Maximum number of labels along the axis: more would overlap on a phone. */
const MAX_LABELS = 6
const TICKS = 4

/** A plot with its title, a key of its colours, and a table of its values. */
export function chartHtml(chart: Chart): Html {
  const { id, title, description, series } = chart
  const isEmpty = series.every(({ values }) => values.every((value) => value === undefined || value === 0))
  if (isEmpty) return html`<p class="faint">${title}: no values in this period.</p>`
  return html`<figure class="plot">
<svg viewbox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">${title}</title>
<desc id="${id}-description">${description}</desc>
${drawn(chart)}
</svg>
${series.length > 1 ? keysHtml(series) : undefined}
<details><summary>Values as a table</summary>
${tableHtml({
  id: `${id}-values`,
  caption: title,
  columns: [{ label: chart.axis }, ...series.map(({ label }) => ({ label, isNumber: true }))],
  rows: chart.categories.map((category, index) => [
    category,
    ...series.map(({ values }) => {
      const value = values[index]
      return value === undefined ? undefined : chart.format(value)
    }),
  ]),
})}
</details>
</figure>`
}

function drawn(chart: Chart): Html {
  const { kind, categories, series, format, brief = format } = chart
  const across = scaleBand<number>()
    .domain(categories.map((_, index) => index))
    .range([MARGIN.left, WIDTH - MARGIN.right])
    .paddingInner(0.25)
    .paddingOuter(0.1)
  const up = scaleLinear()
    .domain(chart.range ?? rangeOf(chart))
    .range([HEIGHT - MARGIN.bottom, MARGIN.top])
  if (chart.range === undefined) up.nice(TICKS)
  const ticks = up.ticks(TICKS)
  const every = Math.ceil(categories.length / MAX_LABELS)
  const labels = categories.map((category, index) => {
    if (index % every !== 0) return undefined
    const x = rounded((across(index) ?? 0) + across.bandwidth() / 2)
    return html`<text class="middle" x="${x}" y="${HEIGHT - 8}">${category}</text>`
  })
  const grid = ticks.map((tick) => {
    const y = rounded(up(tick))
    return html`<path class="grid" d="M${MARGIN.left} ${y}H${WIDTH - MARGIN.right}"></path>
<text class="end" x="${MARGIN.left - 6}" y="${y + 4}">${brief(tick)}</text>`
  })
  const marks =
    kind === 'lines'
      ? series.map((one) => lineOf(one, (index) => (across(index) ?? 0) + across.bandwidth() / 2, up))
      : barsOf(chart, across, up)
  return html`${grid}
${labels}
${marks}`
}

type Upwards = (value: number) => number

function lineOf({ colour, values }: ChartSeries, x: (index: number) => number, up: Upwards): Html {
  const drawnLine = line<number | undefined>()
    .defined((value) => value !== undefined)
    .x((_, index) => rounded(x(index)))
    .y((value) => rounded(up(value ?? 0)))
  return html`<path class="line line-${colour}" d="${drawnLine([...values]) ?? ''}"></path>`
}

/** Greatest width of the bars of a category, for plots with few categories. */
const MAX_BAND = 64

/** Bars beside each other, or on top of each other. */
function barsOf(
  { kind, categories, series, format }: Chart,
  across: { (index: number): number | undefined; bandwidth(): number },
  up: Upwards,
): readonly Html[] {
  const band = Math.min(across.bandwidth(), MAX_BAND)
  const inset = (across.bandwidth() - band) / 2
  const width = kind === 'stacked' ? band : band / series.length
  return categories.flatMap((category, index) => {
    let base = 0
    return series.flatMap(({ label, colour, values }, place) => {
      const value = values[index]
      if (value === undefined || value === 0) return []
      const from = kind === 'stacked' ? base : 0
      base += value
      const [top, bottom] = [up(from + value), up(from)].toSorted((a, b) => a - b)
      const x = (across(index) ?? 0) + inset + (kind === 'stacked' ? 0 : place * width)
      const height = Math.max((bottom ?? 0) - (top ?? 0), 0.5)
      return [
        html`<rect class="fill-${colour}" x="${rounded(x)}" y="${rounded(top ?? 0)}" width="${rounded(width)}" height="${rounded(height)}"><title>${category}, ${label}: ${format(value)}</title></rect>`,
      ]
    })
  })
}

/** The range of the values, including zero; for stacked bars, the range of their sums. */
function rangeOf({ kind, categories, series }: Chart): readonly [number, number] {
  const values =
    kind === 'stacked'
      ? categories.map((_, index) => series.reduce((sum, one) => sum + (one.values[index] ?? 0), 0))
      : series.flatMap((one) => one.values.filter((value) => value !== undefined))
  return [Math.min(0, min(values) ?? 0), Math.max(0, max(values) ?? 0)]
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function keysHtml(series: readonly ChartSeries[]): Html {
  return html`<ul class="keys">
${series.map(({ label, colour }) => html`<li class="key-${colour}">${label}</li>`)}
</ul>`
}
