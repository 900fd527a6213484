import { expect } from 'chai'
import { Wakeup } from '../../../src/domain/webhooks/deliverer.js'
import { handTimers } from '../../support/timers.js'

const INTERVAL = 200

describe('a wakeup', () => {
  it('ends a wait after its interval', async () => {
    const timers = handTimers()
    const woken = new Wakeup(timers, INTERVAL).next()
    timers.pass(INTERVAL)
    await woken
    expect(timers.waiting).to.deep.equal([])
  })

  it('ends a wait that started before the work, and cancels its timer', async () => {
    const timers = handTimers()
    const wakeup = new Wakeup(timers, INTERVAL)
    const woken = wakeup.next()
    wakeup.wake()
    await woken
    expect(timers.waiting).to.deep.equal([])
  })

  it('ends the previous wait when the next wait starts, so at most one timer runs', async () => {
    const timers = handTimers()
    const wakeup = new Wakeup(timers, INTERVAL)
    const first = wakeup.next()
    void wakeup.next()
    await first
    expect(timers.waiting).to.deep.equal([INTERVAL])
  })
})
