import { expect } from 'chai'
import type { Chart } from '../../../../src/http/console/chart/chart.js'
import { chartHtml } from '../../../../src/http/console/chart/draw-chart.js'
import { consoleDocument } from '../../../../src/http/console/document/document.js'
import { html } from '../../../../src/http/html/html.js'
import { expectHtml } from '../../../support/strict-html.js'

const CHART: Chart = {
  id: 'plot',
  kind: 'bars',
  title: 'Volume <by> day',
  description: 'A bar for each day.',
  axis: 'Day',
  categories: ['01-01', '01-02', '01-03'],
  series: [
    { label: 'Taken & kept', colour: '1', values: [100, 0, 300] },
    { label: 'Declined', colour: 'bad', values: [50, undefined, 100] },
  ],
  format: (value) => `$${value}`,
}

const drawn = (more: Partial<Chart> = {}) => chartHtml({ ...CHART, ...more }).text
/** Numeric values of an attribute of all bars, in order. */
const numbersOf = (svg: string, name: string) =>
  [...svg.matchAll(new RegExp(`<rect [^>]*\\b${name}="([\\d.]+)"`, 'g'))].map(([, number]) => Number(number))

describe('a plot', () => {
  it('is well-formed in a page, for every kind, with a title, a description and a table', () => {
    for (const kind of ['bars', 'stacked', 'lines'] as const) {
      const svg = drawn({ kind })
      expectHtml(
        consoleDocument({ title: kind, body: html`<h1>Plot</h1>${chartHtml({ ...CHART, kind })}` }).text,
      )
      expect(svg).to.include('<title id="plot-title">Volume &#60;by&#62; day</title>')
      expect(svg).to.include('<desc id="plot-description">A bar for each day.</desc>')
      expect(svg).to.include('<td>01-03</td><td class="number">$300</td><td class="number">$100</td>')
      expect(svg).to.include('<li class="key-bad">Declined</li>')
      expect(svg).to.not.match(/style=|fill="|stroke="/)
    }
  })

  it('has bars as high as their values, and none for zero', () => {
    const heights = numbersOf(drawn(), 'height')
    expect(heights).to.have.length(4)
    const [first = 0, second = 0, third = 0, fourth = 0] = heights
    expect(first / second).to.be.closeTo(2, 0.05)
    expect(third / fourth).to.be.closeTo(3, 0.05)
    expect(third / first).to.be.closeTo(3, 0.05)
  })

  it('stacks bars on top of each other', () => {
    const svg = drawn({ kind: 'stacked' })
    const [bottom = 0, top = 0] = numbersOf(svg, 'y')
    const [, height = 0] = numbersOf(svg, 'height')
    expect(numbersOf(svg, 'x').slice(0, 2)).to.deep.equal([numbersOf(svg, 'x')[0], numbersOf(svg, 'x')[0]])
    expect(top + height).to.be.closeTo(bottom, 0.15)
  })

  it('interrupts a line at a missing value', () => {
    const [, path = ''] = /class="line line-bad" d="([^"]*)"/.exec(drawn({ kind: 'lines' })) ?? []
    expect(path.match(/M/g)).to.have.length(2)
  })

  it('draws values below zero under the zero line', () => {
    const values = [-100, 200, 0]
    const svg = drawn({ series: [{ label: 'Net', colour: '1', values }] })
    const [below = 0, above = 0] = numbersOf(svg, 'y')
    const [, aboveHeight = 0] = numbersOf(svg, 'height')
    expect(below).to.be.closeTo(above + aboveHeight, 0.15)
  })

  it('has at most six labels along the axis', () => {
    const categories = Array.from({ length: 31 }, (_, index) => `day ${index}`)
    const svg = drawn({
      categories,
      series: [{ label: 'One', colour: '1', values: categories.map(() => 1) }],
    })
    expect(svg.match(/<text class="middle"/g)).to.have.length(6)
  })

  it('says that there is no data to draw', () => {
    const svg = drawn({ series: [{ label: 'None', colour: '1', values: [0, 0, undefined] }] })
    expect(svg).to.include('no values in this period').and.not.include('<svg')
  })
})
