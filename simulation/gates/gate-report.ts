import type { GateResult } from './gate-results.js'
import type { GateStep } from './gate-steps.js'

/** The report in Markdown: a table of all steps, including those that have not run yet. */
export function gateReport(
  source: string,
  steps: readonly GateStep[],
  results: ReadonlyMap<string, GateResult>,
): string {
  const done = steps.flatMap(({ words }) => results.get(words.join(' ')) ?? [])
  const failed = done.filter(({ exitCode }) => exitCode !== 0)
  const machines = [...new Set(done.map(({ machine }) => machine))]
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
    `The folder \`src\` had the content that git names \`${source}\` (\`git rev-parse HEAD:src\`). Of ${steps.length} steps,`,
    `${done.length} ran, in ${hours.toFixed(1)} hours altogether, and ${failed.length} of them failed.${machines.length > 0 ? ` Machine: ${machines.join('; ')}.` : ''}`,
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
