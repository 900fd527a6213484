/**
 * Elements of the pages with their allowed parents; `flow` and `phrasing` as in HTML's content categories.
 */
const PHRASING =
  'a abbr bdi br button code img input kbd label option select small span strong svg textarea time'.split(' ')
const FLOW =
  'address aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 header main nav noscript ol p pre section table ul'.split(
    ' ',
  )
const ONLY_IN: Readonly<Record<string, string>> = {
  head: 'html',
  body: 'html',
  title: 'head svg g rect path',
  meta: 'head',
  link: 'head',
  style: 'head',
  script: 'body',
  li: 'ul ol',
  dt: 'dl div',
  dd: 'dl div',
  legend: 'fieldset',
  caption: 'table',
  thead: 'table',
  tbody: 'table',
  tfoot: 'table',
  summary: 'details',
  path: 'svg g',
  rect: 'svg g',
  text: 'svg g',
  g: 'svg g',
  desc: 'svg',
  tr: 'thead tbody tfoot',
  th: 'tr',
  td: 'tr',
}
const VOID = ['br', 'img', 'input', 'link', 'meta']
/** Elements that may contain only text and phrasing elements. */
const TAKES_PHRASING = [
  ...PHRASING,
  'p',
  'h1',
  'h2',
  'h3',
  'dt',
  'legend',
  'title',
  'caption',
  'pre',
  'summary',
]
/** Elements that may not contain text directly. */
const TAKES_NO_TEXT = ['html', 'head', 'ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'svg', 'g']
const INTERACTIVE = ['a', 'button', 'label', 'form']

const TOKEN =
  /<(style|script)>([^<]*(?:<(?!\/\1>)[^<]*)*)<\/\1>|<(\/?)([a-z][a-z0-9]*)((?:\s+(?:[a-z-]+|viewBox)(?:="[^"<]*")?)*)>|([^<]+)/y

/** Throws unless a page is well formed. */
export function expectHtml(text: string): void {
  const problems = htmlProblems(text)
  if (problems.length > 0) throw new Error(`A page is not well formed: ${problems.join('; ')}\n${text}`)
}

/**
 * Problems of a complete page, parsed without a browser's tolerance. Tags must be closed in order, attributes
 * quoted and unique, ids unique, and references to ids valid. Empty for a correct page.
 */
function htmlProblems(text: string): string[] {
  const start = '<!doctype html>\n'
  if (!text.startsWith(start)) return ['no doctype']
  const reader = new StrictReader()
  TOKEN.lastIndex = start.length
  for (let at = start.length; at < text.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text)
    if (!token) return [...reader.problems, `not HTML: ${text.slice(at, at + 80)}`]
    const [, raw, , slash, name = raw ?? '', attributes = '', words] = token
    if (words !== undefined) reader.readWords(words)
    else if (slash === '/') reader.readEnd(name)
    else reader.readStart(name, attributes, raw === undefined && !VOID.includes(name))
  }
  return reader.problemsAtEnd()
}

class StrictReader {
  readonly problems: string[] = []
  readonly #open: string[] = []
  readonly #names: string[] = []
  readonly #ids: string[] = []
  readonly #references: string[] = []

  readWords(words: string): void {
    const parent = this.#open.at(-1) ?? ''
    this.#expectEscaped(words)
    if (words.trim() !== '' && (TAKES_NO_TEXT.includes(parent) || parent === ''))
      this.problems.push(`text in ${parent}: ${words}`)
  }

  readEnd(name: string): void {
    const parent = this.#open.pop()
    if (parent !== name) this.problems.push(`</${name}> closes ${parent}`)
  }

  readStart(name: string, attributes: string, hasEnd: boolean): void {
    // The title of an SVG drawing does not count as the title of the page.
    if (name !== 'title' || this.#open.at(-1) === 'head') this.#names.push(name)
    this.problems.push(...nestingProblems(name, this.#open))
    const pairs = [...attributes.matchAll(/([a-z-]+|viewBox)(?:="([^"]*)")?/g)]
    const names = pairs.map(([, key = '']) => key)
    if (new Set(names).size < names.length) this.problems.push(`an attribute twice at ${name}${attributes}`)
    if (name === 'img' && !names.includes('alt')) this.problems.push('an image without a text')
    for (const [, key = '', value = ''] of pairs) this.#readAttribute(key, value)
    if (hasEnd) this.#open.push(name)
  }

  problemsAtEnd(): string[] {
    const ids = this.#ids
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
    const lost = this.#references.filter((id) => !ids.includes(id))
    const once = ['html', 'head', 'title', 'body', 'main', 'h1']
    return [
      ...this.problems,
      ...this.#open.map((name) => `${name} is not closed`),
      ...twice.map((id) => `the id ${id} is there twice`),
      ...lost.map((id) => `no element has the id ${id}`),
      ...once
        .filter((name) => this.#names.filter((one) => one === name).length !== 1)
        .map((name) => `not one ${name}`),
    ]
  }

  #readAttribute(key: string, value: string): void {
    if (key === 'id') this.#ids.push(value)
    if (['for', 'aria-describedby', 'aria-labelledby'].includes(key))
      this.#references.push(...value.split(' '))
    if (/^on|^style$/.test(key) || /^\s*javascript:/i.test(value)) this.problems.push(`${key}="${value}"`)
    this.#expectEscaped(value)
  }

  #expectEscaped(written: string): void {
    if (/&(?!#\d+;)/.test(written)) this.problems.push(`a bare & in ${written}`)
  }
}

function nestingProblems(name: string, open: readonly string[]): string[] {
  const parent = open.at(-1) ?? ''
  const places = ONLY_IN[name]?.split(' ')
  if (name === 'html') return open.length === 0 ? [] : ['html inside another element']
  if (places) return places.includes(parent) ? [] : [`${name} in ${parent}`]
  if (INTERACTIVE.includes(name) && open.includes(name)) return [`${name} inside ${name}`]
  // In a `dl`, a `div` groups terms with their descriptions.
  if (name === 'div' && parent === 'dl') return []
  if (TAKES_NO_TEXT.includes(parent)) return [`${name} in ${parent}`]
  if (PHRASING.includes(name)) return []
  if (!FLOW.includes(name)) return [`the element ${name} is not known`]
  return TAKES_PHRASING.includes(parent) ? [`${name} in ${parent}`] : []
}
