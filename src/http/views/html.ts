/** HTML that is inserted unchanged; all other values are escaped. */
export class Html {
  constructor(readonly text: string) {}
}

export type Insert = Html | string | number | undefined | readonly Insert[]

/**
 * Makes HTML: inserted texts are escaped (for elements and quoted attributes alike), `Html` is not, lists are joined, and
 * undefined is left out. Example: html`<td title="${hint}">${rows.map(rowOf)}</td>`
 */
export function html(written: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return new Html(written.reduce((page, part, index) => page + shown(inserts[index - 1]) + part))
}

/** Attributes of an element, each after a blank: `true` is written as the name alone, `false` and undefined are left out. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  const written = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return ''
    return value === true ? ` ${name}` : ` ${name}="${shown(value)}"`
  })
  return new Html(written.join(''))
}

function shown(insert: Insert): string {
  if (insert instanceof Html) return insert.text
  if (insert === undefined) return ''
  if (typeof insert === 'string' || typeof insert === 'number') return escaped(String(insert))
  return insert.map(shown).join('')
}

/** Removes control characters and those that change the direction of text, and escapes the rest. */
function escaped(text: string): string {
  const clean = text.replace(/(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
  return clean.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
