import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { Interrupted } from '../../../../src/cli/terminal/failure/failure.js'
import { endable, finish } from '../../../../src/cli/terminal/prompts/ctrl-c.js'
import { rejection } from '../../../support/rejection.js'

/** A promise that the test resolves. */
function pending<T>() {
  let answer: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => {
    answer = resolve
  })
  return { promise, answer: (value: T) => answer(value) }
}

describe('Ctrl-C', () => {
  it('waits for a request in progress and says so', async () => {
    const signals = new EventEmitter()
    const { promise, answer } = pending<string>()
    const said: string[] = []
    const finished = finish(promise, signals, (text) => {
      said.push(text)
      answer('done')
    })
    signals.emit('SIGINT')
    expect(await finished).to.deep.equal({ value: 'done', interrupted: true })
    expect(said).to.deep.equal(['Already sent: waiting for the answer. Ctrl-C again does not wait.'])
    expect(signals.listenerCount('SIGINT')).to.equal(0)
  })

  it('stops waiting on the second press, and reports what is unknown', async () => {
    const signals = new EventEmitter()
    const finished = finish(pending().promise, signals, () => setImmediate(() => signals.emit('SIGINT')))
    signals.emit('SIGINT')
    const error = await rejection(finished)
    expect(error).to.be.instanceOf(Interrupted)
    expect(error.message).to.match(/^Interrupted before the answer came: what was sent may have been done\./)
  })

  it('is left to an existing listener', async () => {
    const signals = new EventEmitter().on('SIGINT', () => undefined)
    const finished = finish(Promise.resolve(1), signals, () => expect.fail('said something'))
    signals.emit('SIGINT')
    expect(await finished).to.deep.equal({ value: 1, interrupted: false })
  })

  it('ends a read-only command at once', async () => {
    const signals = new EventEmitter()
    const ended = endable(() => pending().promise, signals)
    signals.emit('SIGINT')
    expect((await rejection(ended)).message).to.equal('Interrupted; nothing was sent.')
    expect(await endable(async () => 1, signals)).to.equal(1)
    expect(signals.listenerCount('SIGINT')).to.equal(0)
  })
})
