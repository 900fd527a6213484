import { paint } from '../output/colour.js'
import type { Look } from '../output/look.js'
import { type Definition, definitionLines, termWidth } from './definitions.js'

/** A part of a page: lines as they are, or definitions. */
export interface HelpSection {
  readonly head: string
  readonly lines?: readonly string[]
  readonly definitions?: readonly Definition[]
}

/** Longer lines are hard to read. */
const MAX_WIDTH = 120
/** What is piped is wrapped as for a common terminal. */
const PIPED = 80

export function pageWidth({ width = PIPED }: Look): number {
  return Math.min(width, MAX_WIDTH)
}

/** The text of a page: what it is about, then its sections, all definitions aligned alike. Empty sections are left out. */
export function pageText(about: readonly string[], sections: readonly HelpSection[], look: Look): string {
  const width = pageWidth(look)
  const terms = termWidth(
    sections.flatMap(({ definitions = [] }) => definitions),
    width,
  )
  const blocks = sections
    .map(({ head, lines = [], definitions = [] }) => ({
      head,
      lines: [...lines.map((line) => `  ${line}`), ...definitionLines(definitions, { width, terms })],
    }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ head, lines }) => [paint(head, 'bold', look.colour), ...lines].join('\n'))
  return `${[about.join('\n'), ...blocks].join('\n\n')}\n`
}

/** A command to be typed, on as many lines as it needs: broken between words, so that it can be pasted. */
export function commandLines(command: string, width: number): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [command]
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`
    // Two columns for the continuation, four for its indent.
    if (line.trim() !== '' && longer.length > width - 2) {
      lines.push(`${line} \\`)
      line = `    ${word}`
    } else line = longer
  }
  return [...lines, line]
}
