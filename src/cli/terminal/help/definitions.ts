import { cutTo, filled, widthOf } from '../output/width.js'
import { wrapped } from '../output/wrap.js'

/** A flag, a command or a topic, with what it means. */
export interface Definition {
  readonly term: string
  readonly meaning: string
  /** Whether the meaning is cut to a line, instead of wrapped. */
  readonly isCut?: boolean
}

/** Narrower terminals have a meaning under its term. */
const MIN_BESIDE = 60
const INDENT = 2
const GAP = 2

/** How wide the column of terms is, so that every section of a page is aligned alike. */
export function termWidth(definitions: readonly Definition[], width: number): number {
  const most = Math.floor(width * 0.45)
  const fitting = definitions.map(({ term }) => widthOf(term)).filter((term) => term <= most)
  return Math.max(0, ...fitting)
}

/** The lines of definitions: terms on the left, meanings beside them, wrapped to a terminal of so many columns. */
export function definitionLines(
  definitions: readonly Definition[],
  { width, terms }: { readonly width: number; readonly terms: number },
): string[] {
  const isBeside = width >= MIN_BESIDE
  const indent = isBeside ? INDENT + terms + GAP : INDENT * 3
  const lead = (lines: readonly string[], blanks: number) => lines.map((line) => ' '.repeat(blanks) + line)
  return definitions.flatMap(({ term, meaning, isCut }) => {
    const lines = isCut ? [cutTo(meaning, width - indent)] : wrapped(meaning, width - indent)
    const [first = '', ...more] = lines
    if (isBeside && widthOf(term) <= terms)
      return [`${filled(' '.repeat(INDENT) + term, indent, 'left')}${first}`.trimEnd(), ...lead(more, indent)]
    const heads = isBeside ? [term] : wrapped(term.trim(), width - INDENT)
    const below = lines.filter((line) => line !== '')
    return [...lead(heads, INDENT), ...lead(below, indent)]
  })
}
