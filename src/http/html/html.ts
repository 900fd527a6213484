import type { BuiltScript, BuiltStyle } from './built-file.js'
import { PageAddress } from './page-address.js'
import { attributePlace, type InsertPlace, insertPlaces } from './template-places.js'

/** HTML that is inserted unchanged between tags; all other values are escaped. */
export class Html {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }

  /** HTML that this file has put together; lint refuses the call in any other file. */
  static trusted(text: string): Html {
    return new Html(text)
  }
}

export type Insert = Html | string | number | undefined | readonly Insert[]

/** Values of attributes: `true` is written as the name alone, `false` and undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | PageAddress | undefined>> & {
  readonly action?: PageAddress | undefined
  readonly href?: PageAddress | undefined
  readonly src?: PageAddress | undefined
}

/** The places of each template's inserts, which are found once. */
const places = new WeakMap<TemplateStringsArray, readonly InsertPlace[]>()

/** Elements without content. */
const VOID = ['br', 'img', 'input', 'link', 'meta']

/**
 * Makes HTML: inserted texts are escaped, `Html` is not, lists are joined, and undefined is left out. Throws for an insert
 * that its place does not allow. Example: html`<td title="${hint}">${rows.map(rowOf)}</td>`
 */
export function html(written: TemplateStringsArray, ...inserts: readonly (Insert | PageAddress)[]): Html {
  let known = places.get(written)
  if (known === undefined) {
    known = insertPlaces(written)
    places.set(written, known)
  }
  const [first = '', ...rest] = written
  const text = rest.map((part, index) => shownAt(known[index], inserts[index]) + part)
  return Html.trusted(first + text.join(''))
}

/** An element whose attributes depend on values. */
export function element(name: string, attributes: Attributes, ...content: readonly Insert[]): Html {
  const written = Object.entries(attributes).map(([key, value]) => {
    if (value === undefined || value === false) return ''
    return value === true ? ` ${key}` : ` ${key}="${shownAt(attributePlace(key), value)}"`
  })
  const start = `<${name}${written.join('')}>`
  return Html.trusted(VOID.includes(name) ? start : `${start}${shown(content)}</${name}>`)
}

/** The element of a script or a style. Throws if it contains the end of its own element. */
export function builtElement({ kind, text }: BuiltScript | BuiltStyle): Html {
  if (/<\/(?:script|style)|<!--/i.test(text))
    throw new Error(`A ${kind} must not contain the end of its element`)
  return Html.trusted(`<${kind}>${text}</${kind}>\n`)
}

function shownAt(place: InsertPlace | undefined, insert: Insert | PageAddress): string {
  switch (place) {
    case 'text':
      if (!(insert instanceof PageAddress)) return shown(insert)
      break
    case 'attribute':
      if (insert === undefined) return ''
      if (typeof insert === 'string' || typeof insert === 'number') return escaped(String(insert))
      break
    case 'address':
      if (insert instanceof PageAddress) return escaped(insert.text)
      break
    case undefined:
      break
  }
  throw new Error(`An insert does not fit its place (${place})`)
}

function shown(insert: Insert): string {
  if (insert instanceof Html) return insert.text
  if (insert === undefined) return ''
  if (typeof insert === 'string' || typeof insert === 'number') return escaped(String(insert))
  return insert.map(shown).join('')
}

/** Removes control characters and characters that change the direction of text, and escapes the rest. */
function escaped(text: string): string {
  const clean = text.replace(/(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
  return clean.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
