import { expect } from 'chai'
import { follow } from '../../../src/cli/commands/webhooks/follow.js'
import { Refusal } from '../../../src/cli/terminal/failure/failure.js'

describe('following', () => {
  it('tells each object once, and goes on when the service is back', async () => {
    const stopping = new AbortController()
    const unavailable = new Refusal({
      ...{ status: 503, headers: {} },
      body: { object: 'error', error_type: 'ServiceUnavailable', error_description: 'Restarting' },
    })
    const answers = [[{ id: 'a' }, { id: 'b' }], unavailable, [{ id: 'b' }, { id: 'c' }]]
    const told: unknown[] = []
    const said: string[] = []
    await follow({
      interrupted: stopping.signal,
      every: 0,
      say: (text) => said.push(text),
      ask: async () => {
        const answer = answers.shift()
        if (answer instanceof Refusal) throw answer
        return answer ?? []
      },
      print: async ({ id }) => {
        told.push(id)
        if (id === 'c') stopping.abort()
      },
    })
    expect(told).to.deep.equal(['a', 'b', 'c'])
    expect(said).to.deep.equal(['Restarting Waiting …', 'Continuing.'])
  })

  it('ends with any other error', async () => {
    const refused = new Refusal({ status: 403, headers: {}, body: { error_type: 'Forbidden' } })
    const ending = follow({
      interrupted: new AbortController().signal,
      say: () => undefined,
      ask: () => Promise.reject(refused),
      print: async () => undefined,
    })
    expect(await ending.catch((error: unknown) => error)).to.equal(refused)
  })
})
