/** A profile in the format of `node --cpu-prof`. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

/** A function and the functions that it called. */
interface Frame {
  readonly name: string
  /** Time in microseconds, including called functions. */
  time: number
  readonly callees: Map<string, Frame>
}

const WIDTH = 1_600
const HEIGHT = 17
/** Minimal width of a bar, in pixels; narrower bars are omitted. */
const NARROWEST = 0.5
const CHARACTER = 6.5
const COLOURS = ['#f2c14e', '#f0a35e', '#e98a6b', '#f4d58d', '#d9b44a']
const IDLE = '(idle)'

/** Draws a profile as SVG. Each function is a bar above its caller, as wide as its time. Idle time is omitted. */
export function flameGraph(profile: CpuProfile): string {
  const bars: string[] = []
  const all = framesOf(profile)
  let depth = 0
  const draw = (frame: Frame, level: number, left: number): void => {
    const width = (frame.time / all.time) * WIDTH
    if (width < NARROWEST) return
    depth = Math.max(depth, level + 1)
    bars.push(bar(frame, all.time, { level, left, width }))
    let next = left
    for (const callee of [...frame.callees.values()].toSorted((a, b) => b.time - a.time)) {
      draw(callee, level + 1, next)
      next += (callee.time / all.time) * WIDTH
    }
  }
  draw(all, 0, 0)
  const size = `width="${WIDTH}" height="${depth * HEIGHT}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="monospace" font-size="11">\n${bars.join('\n')}\n</svg>\n`
}

/** Tree of frames of a profile. Calls of a function by the same chain of callers are one frame. */
function framesOf({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const all: Frame = { name: 'all', time: 0, callees: new Map() }
  for (const [index, sample] of samples.entries()) {
    const time = timeDeltas[index] ?? 0
    const stack: string[] = []
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const node = byId.get(id)
      if (node && parents.has(id)) stack.push(nameOf(node.callFrame))
    }
    if (stack[0] === IDLE) continue
    all.time += time
    let frame = all
    for (const name of stack.toReversed()) {
      const callee = frame.callees.get(name) ?? { name, time: 0, callees: new Map() }
      frame.callees.set(name, callee)
      callee.time += time
      frame = callee
    }
  }
  return all
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.split('/').at(-1) ?? ''
  if (functionName === '') return `${file}:${lineNumber + 1}`
  return file === '' ? functionName : `${functionName} ${file}`
}

function bar(
  { name, time }: Frame,
  whole: number,
  { level, left, width }: { readonly level: number; readonly left: number; readonly width: number },
): string {
  const colour = COLOURS[name.length % COLOURS.length]
  const box = `x="${left.toFixed(1)}" y="${level * HEIGHT}" width="${width.toFixed(1)}" height="${HEIGHT - 1}"`
  const title = `${escaped(name)}: ${((time / whole) * 100).toFixed(1)} %, ${Math.round(time / 1_000)} ms`
  const shown = escaped(name.slice(0, Math.floor(width / CHARACTER)))
  const text = `<text x="${(left + 2).toFixed(1)}" y="${level * HEIGHT + 12}">${shown}</text>`
  return `<g><title>${title}</title><rect ${box} fill="${colour}"/>${text}</g>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
