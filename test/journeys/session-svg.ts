interface Style {
  readonly colour?: string
  readonly bold?: boolean
  readonly dim?: boolean
}

interface Run extends Style {
  readonly text: string
}

/** CSS colours for a terminal’s colour codes on a dark background. */
const COLOURS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#56d364',
  33: '#e3b341',
  34: '#79c0ff',
  36: '#76e3ea',
}

const LINE = 18
const LETTER = 8.4
const EDGE = 14
/** Seconds for which each screen is shown. */
const SEEN = 2.5

/** Draws screens of a terminal, with the escape codes of colours, as an animated SVG that repeats them. */
export function pictureOf(screens: readonly string[], columns: number): string {
  const rows = Math.max(...screens.map((screen) => screen.split('\n').length))
  const width = Math.round(columns * LETTER) + 2 * EDGE
  const height = rows * LINE + 2 * EDGE
  const share = 100 / screens.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<title>payctl takes a payment at a terminal, and refunds a part of it</title>',
    '<style>',
    `text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#e6edf3;white-space:pre}`,
    `g{opacity:0;animation:s ${screens.length * SEEN}s infinite}`,
    `@keyframes s{0%,${share.toFixed(2)}%{opacity:1}${(share + 0.01).toFixed(2)}%,100%{opacity:0}}`,
    '@media (prefers-reduced-motion:reduce){g{animation:none}g:last-of-type{opacity:1}}',
    '</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...screens.map((screen, index) => frame(screen, index * SEEN)),
    '</svg>',
    '',
  ].join('\n')
}

function frame(screen: string, delay: number): string {
  const lines = screen.split('\n').map((line, row) => {
    const spans = runsOf(line).map(spanOf).join('')
    return spans && `<text x="${EDGE}" y="${EDGE + (row + 0.75) * LINE}">${spans}</text>`
  })
  return `<g style="animation-delay:${delay}s">\n${lines.filter(Boolean).join('\n')}\n</g>`
}

function spanOf({ text, colour, bold, dim }: Run): string {
  const attributes = [
    colour && ` fill="${colour}"`,
    bold && ' font-weight="bold"',
    dim && ' opacity=".65"',
  ].filter(Boolean)
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return attributes.length > 0 ? `<tspan${attributes.join('')}>${shown}</tspan>` : shown
}

/** Splits a line into parts of one style; each escape code begins a new part. */
function runsOf(line: string): Run[] {
  const [plain = '', ...coded] = line.split('\u001b[')
  const runs: Run[] = [{ text: plain }]
  let style: Style = {}
  for (const part of coded) {
    const end = part.indexOf('m')
    style = part.slice(0, end).split(';').map(Number).reduce(styled, style)
    runs.push({ ...style, text: part.slice(end + 1) })
  }
  return runs.filter(({ text }) => text !== '')
}

function styled(style: Style, code: number): Style {
  if (code === 0) return {}
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  const { colour: _, ...plain } = style
  if (code === 39) return plain
  const colour = COLOURS[code]
  return colour === undefined ? style : { ...plain, colour }
}
