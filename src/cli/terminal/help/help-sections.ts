import { paint } from '../output/colour.js'
import type { Look } from '../output/look.js'
import { type Definition, definitionLines, termWidth } from './definitions.js'

/** A part of a page: plain lines, or definitions. */
export interface HelpSection {
  readonly head: string
  readonly lines?: readonly string[]
  readonly definitions?: readonly Definition[]
  /** Plain lines below the definitions. */
  readonly after?: readonly string[]
}

/** Columns beyond which lines are hard to read. */
const MAX_WIDTH = 120
/** Columns of piped output: those of a common terminal. */
const PIPED = 80

export function pageWidth({ width = PIPED }: Look): number {
  return Math.min(width, MAX_WIDTH)
}

/**
 * Text of a page: its subject, then its sections. All definitions are aligned to the same column. Empty
 * sections are omitted.
 */
export function pageText(about: readonly string[], sections: readonly HelpSection[], look: Look): string {
  const width = pageWidth(look)
  const terms = termWidth(
    sections.flatMap(({ definitions = [] }) => definitions),
    width,
  )
  const blocks = sections
    .map(({ head, lines = [], definitions = [], after = [] }) => ({
      head,
      lines: [
        ...lines.map((line) => `  ${line}`),
        ...definitionLines(definitions, { width, terms }),
        ...after.map((line) => `  ${line}`),
      ],
    }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ head, lines }) => [paint(head, 'bold', look.colour), ...lines].join('\n'))
  return `${[about.join('\n'), ...blocks].join('\n\n')}\n`
}

const INDENT = '    '

/** A command on several lines, broken between words so that it can be pasted. */
export function commandLines(command: string, width: number): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [command]
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`
    // Two columns are reserved for the backslash, four for the indent.
    if (line.trim() !== '' && longer.length > width - 2) {
      lines.push(`${line} \\`)
      // A long word gets a smaller indent if it then fits, so that the terminal does not break it.
      line = `${word.length + INDENT.length > width - 2 ? '  ' : INDENT}${word}`
    } else line = longer
  }
  return [...lines, line]
}
