import process from 'node:process'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Milliseconds between two updates of the line on a terminal; `REMIND` is the interval between two lines in a log. */
const REDRAW = 125
const REMIND = 30_000

/**
 * Shows progress on stderr. On a terminal, one line shows the seconds so far. In a log, there is a line for each step
 * and one every 30 seconds.
 */
export function startProgress(firstStep) {
  const stream = process.stderr
  const start = performance.now()
  let step = firstStep
  let frame = 0

  const seconds = () => `${Math.round((performance.now() - start) / 1000)} s`
  const say = (text) => stream.write(`${stream.isTTY ? '\r\x1b[K' : ''}${text}`)
  const draw = () => {
    const elapsed = ` · ${seconds()}`
    const room = (stream.columns || 80) - elapsed.length - 3
    say(`${FRAMES[frame++ % FRAMES.length]} ${step.slice(0, room)}${elapsed}`)
  }
  const announce = () => (stream.isTTY ? draw() : say(`${step} …\n`))
  const remind = () => say(`${step} … ${seconds()} so far\n`)

  announce()
  const timer = stream.isTTY ? setInterval(draw, REDRAW) : setInterval(remind, REMIND)

  function stop() {
    clearInterval(timer)
    if (stream.isTTY) say('')
  }

  return {
    step(next) {
      if (next === step) return
      step = next
      announce()
    },
    done(text) {
      stop()
      say(`✓ ${text} in ${seconds()}\n`)
    },
    stop,
  }
}
