import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const FILE = new URL('results.json', import.meta.url)

const results = z.object({
  /** Name that git gives to the content of the folder `src`. */
  source: z.string(),
  results: z.array(
    z.object({
      words: z.string(),
      machine: z.string(),
      exitCode: z.number(),
      seconds: z.number(),
      /** Last line that the run printed. */
      said: z.string(),
    }),
  ),
})

/** Result of one step of a gate. */
export type GateResult = z.infer<typeof results>['results'][number]

/** The name of the content of `src`. Throws if a file there is not committed. */
export function sourceNow(): string {
  if (git('status', '--porcelain', 'src') !== '') throw new Error('Commit the changes in src first')
  return git('rev-parse', '--short=10', 'HEAD:src')
}

/** The results of a source; none if the stored ones are of another source. */
export function keptResults(source: string): readonly GateResult[] {
  const kept = results.parse(JSON.parse(readFileSync(FILE, 'utf8')))
  return kept.source === source ? kept.results : []
}

export function keepResults(kept: z.infer<typeof results>): void {
  writeFileSync(FILE, `${JSON.stringify(kept, undefined, 2)}\n`)
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { encoding: 'utf8' }).trim()
}
