/** One measured claim: payctl's value, the reference's value, and the goal. */
export interface Row {
  readonly what: string
  readonly reference: string
  /** Medians as shown, with their unit. */
  readonly ours: string
  readonly theirs: string
  readonly ratio: number
  /** CPU time per operation in microseconds, and its ratio to the reference's. It varies little on busy machines. */
  readonly cpu?: { readonly ours: number; readonly theirs: number; readonly ratio: number }
  /** Goal for the ratio; omitted if the row is for information only. */
  readonly goal?: Goal
}

export type Goal = { readonly least: number } | { readonly most: number }

/** The table as Markdown, as in docs/performance.md. */
export function render(rows: readonly Row[]): string {
  return renderCells([
    ['what', 'ours', 'reference', 'its', 'ratio', 'CPU, its: ratio', 'goal', ''],
    ...rows.map(cells),
  ])
}

/** A table as Markdown; the first line is the head. */
export function renderCells(lines: readonly (readonly string[])[]): string {
  const widths = lines.reduce<number[]>(
    (known, line) => line.map((cell, column) => Math.max(known[column] ?? 0, cell.length)),
    [],
  )
  const [head = '', ...body] = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n')
}

export function met({ ratio, goal }: Row): boolean {
  if (!goal) return true
  return 'least' in goal ? ratio >= goal.least : ratio <= goal.most
}

function cells(row: Row): string[] {
  const { what, ours, reference, theirs, ratio } = row
  return [what, ours, reference, theirs, `${ratio.toFixed(2)} ×`, cpu(row), goal(row), verdict(row)]
}

function cpu({ cpu }: Row): string {
  return cpu ? `${cpu.ours}, ${cpu.theirs} µs: ${cpu.ratio.toFixed(2)} ×` : ''
}

function goal({ goal }: Row): string {
  if (!goal) return ''
  return 'least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`
}

function verdict(row: Row): string {
  if (!row.goal) return ''
  return met(row) ? 'met' : 'missed'
}
