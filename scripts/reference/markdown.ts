/** A table of Markdown; texts are escaped, what is marked as code stays as it is. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`)
  return lines.join('\n')
}

export function code(text: string): string {
  return `\`${text}\``
}

/** A page of these parts, an empty line between; an empty part is left out. */
export function page(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** In a table `|` is escaped even in code; `<` only outside of it. */
function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').replaceAll('\n', ' ').split('`')
  return parts.map((part, at) => (at % 2 === 0 ? part.replaceAll('<', '\\<') : part)).join('`')
}
