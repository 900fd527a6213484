import { type Answered, type Asked, problemsOf } from './check.js'

const found: string[] = []

/** Holds an answer against the document; what is wrong with it fails the test that runs. */
export function check(asked: Asked, answered: Answered): void {
  found.push(...problemsOf(asked, answered))
}

/** Throws when an answer since the last time was not what the document says. */
export function expectDocumented(): void {
  const [first, ...more] = found.splice(0)
  if (first === undefined) return
  throw new Error(
    `${first}${more.length > 0 ? `, and ${more.length} more` : ''}\n${more.slice(0, 9).join('\n')}`,
  )
}
