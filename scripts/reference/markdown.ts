/** A Markdown table. Texts are escaped, except code. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`)
  return lines.join('\n')
}

export function code(text: string): string {
  return `\`${text}\``
}

/** A page of these parts, separated by empty lines. Empty parts are omitted. */
export function page(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Escaped text of a table's cell: `|` is escaped even in code, `<` only outside code. */
function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').replaceAll('\n', ' ').split('`')
  return parts.map((part, at) => (at % 2 === 0 ? part.replaceAll('<', '\\<') : part)).join('`')
}
