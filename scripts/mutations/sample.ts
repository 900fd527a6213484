import { createHash } from 'node:crypto'
import { type Mutation, mutationOf } from './mutation.js'
import { editsOf } from './operators.js'
import type { Project } from './program.js'

/**
 * Draws random mutations that compile, spread over the files, and in each file over the operators. The draw depends
 * only on the seed and the mutated lines, so a change of one file does not affect other files.
 */
export function drawMutations(
  project: Project,
  files: readonly string[],
  { size, seed }: { size: number; seed: string },
): Mutation[] {
  const rank = (...parts: readonly string[]) =>
    createHash('sha256')
      .update([seed, ...parts].join('\n'))
      .digest('hex')
  const queues = files
    .map((file) => ({ file, queue: candidates(project, file, rank) }))
    .sort((a, b) => (rank(a.file) < rank(b.file) ? -1 : 1))
  const drawn: Mutation[] = []
  while (drawn.length < size && queues.some(({ queue }) => queue.length > 0)) {
    for (const { queue } of queues) {
      const next = drawn.length < size ? nextThatCompiles(project, queue) : undefined
      if (next) drawn.push(next)
    }
  }
  return drawn
}

type Rank = (...parts: readonly string[]) => string

/** All mutations of a file in the order of the draw: the first of each operator, then the second of each, and so on. */
function candidates(project: Project, file: string, rank: Rank): Mutation[] {
  const source = project.source(file)
  const byOperator = new Map<string, Mutation[]>()
  for (const edit of editsOf(source, project.checker)) {
    const mutation = mutationOf(file, source, edit)
    byOperator.set(edit.operator, [...(byOperator.get(edit.operator) ?? []), mutation])
  }
  const ranked = [...byOperator].map(([operator, mutations]) => ({
    first: rank(file, operator),
    mutations: oncePerPlace(sortedBy(mutations, ({ before, after }) => rank(file, operator, before, after))),
  }))
  const rounds = Math.max(0, ...ranked.map(({ mutations }) => mutations.length))
  const operators = sortedBy(ranked, ({ first }) => first)
  return Array.from({ length: rounds }, (_, round) =>
    operators.flatMap(({ mutations }) => mutations[round] ?? []),
  ).flat()
}

/**
 * Orders mutations so that each place occurs once before any place occurs again. Otherwise fields, which have many
 * wrong names, would occur too often.
 */
function oncePerPlace(mutations: readonly Mutation[]): Mutation[] {
  const seen = new Map<string, number>()
  const turns = mutations.map((mutation) => {
    const place = `${mutation.line} ${mutation.before}`
    const turn = seen.get(place) ?? 0
    seen.set(place, turn + 1)
    return { mutation, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ mutation }) => mutation)
}

function sortedBy<T>(values: readonly T[], key: (value: T) => string): T[] {
  return values
    .map((value) => [key(value), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value)
}

function nextThatCompiles(project: Project, queue: Mutation[]): Mutation | undefined {
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (project.compiles(next.file, next.text)) return next
  }
  return undefined
}
