import { registry } from '../../terminal/declared-registry.js'
import { topicOf } from '../derived/topic.js'

/** Short words for what all topics have. */
const VERBS: Readonly<Record<string, string>> = { ls: 'list', show: 'get', new: 'create', rm: 'delete' }

/**
 * Words with a short name for a topic (how its ids begin, as `txn`, or one of them, as `invoice`) and for what is done with it
 * (`ls`) written out. Words that name a command or a topic already are left alone.
 */
export function resolvedAliases(ids: readonly string[], words: readonly string[]): readonly string[] {
  const [first, second, ...rest] = words
  if (first === undefined) return words
  const topic = hasCommand(ids, first) ? first : (topicNamed(first) ?? first)
  if (second === undefined) return [topic]
  const verb = Object.hasOwn(VERBS, second) ? VERBS[second] : undefined
  const isShort =
    verb !== undefined && !hasCommand(ids, `${topic}:${second}`) && hasCommand(ids, `${topic}:${verb}`)
  return [topic, isShort ? verb : second, ...rest]
}

function hasCommand(ids: readonly string[], start: string): boolean {
  return ids.some((id) => id === start || id.startsWith(`${start}:`))
}

/** Where ids of several resources begin alike, the first that is declared: `acct` are accounts. */
function topicNamed(word: string): string | undefined {
  const named = registry.all.filter(({ admin }) => !admin)
  const found =
    named.find(({ prefix }) => prefix === `${word}_`) ??
    named.find(({ name }) => name.replaceAll('_', '-') === word)
  return found && topicOf(found)
}
