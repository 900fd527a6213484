/** One claim: what was measured, against what, and what was hoped for. */
export interface Row {
  readonly what: string
  readonly reference: string
  /** Medians as they are shown, with their unit. */
  readonly ours: string
  readonly theirs: string
  readonly ratio: number
  /** Nothing when the row is only there to be known. */
  readonly goal?: { readonly least: number } | { readonly most: number }
}

/** The table as Markdown, so that it can stand in docs/performance.md as it is. */
export function render(rows: readonly Row[]): string {
  const lines = [['what', 'ours', 'reference', 'its', 'ratio', 'goal', ''], ...rows.map(cells)]
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
  return [row.what, row.ours, row.reference, row.theirs, `${row.ratio.toFixed(2)} ×`, goal(row), verdict(row)]
}

function goal({ goal }: Row): string {
  if (!goal) return ''
  return 'least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`
}

function verdict(row: Row): string {
  if (!row.goal) return ''
  return met(row) ? 'met' : 'missed'
}
