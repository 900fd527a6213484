import type { GateStep } from './gate-steps.js'

/** Result of one step of a gate. */
export interface GateResult {
  readonly words: string
  readonly exitCode: number
  readonly seconds: number
  /** Last line that the run printed. */
  readonly said: string
}

/** The report in Markdown: a table of all steps, including those that have not run yet. */
export function gateReport(
  commit: string,
  machine: string,
  steps: readonly GateStep[],
  results: ReadonlyMap<string, GateResult>,
): string {
  const done = steps.flatMap(({ words }) => results.get(words.join(' ')) ?? [])
  const failed = done.filter(({ exitCode }) => exitCode !== 0)
  const hours = done.reduce((sum, { seconds }) => sum + seconds, 0) / 3_600
  const rows = done.map(
    ({ words, exitCode, seconds, said }) =>
      `| \`${words}\` | ${exitCode === 0 ? 'passed' : `**failed** (${exitCode})`} | ${Math.round(seconds)} s | ${cell(said)} |`,
  )
  return [
    '# Gates of a release',
    '',
    '*Project: the long runs at full size, as `npm run long -- gates` ran them last.*',
    '',
    `Commit \`${commit}\`, on ${machine}: ${done.length} of ${steps.length} steps ran in ${hours.toFixed(1)} hours, ${failed.length} failed.`,
    '',
    '| run | result | time | last line |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').slice(0, 200)
}
