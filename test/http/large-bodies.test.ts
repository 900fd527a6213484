import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { expect } from 'chai'
import { ApiError } from '../../src/engine/core/request/api-error.js'
import { BodyRoom, collectBody } from '../../src/http/api/request-body.js'
import { rejection } from '../support/rejection.js'

const KIB = 1024
const MAX = 4 * KIB * KIB

describe('large bodies', () => {
  it('share a limited memory, which small bodies do not need, and release it at the end', async () => {
    const room = new BodyRoom(600 * KIB)
    const collect = (size: number) =>
      collectBody(Readable.from([Buffer.alloc(size / 2), Buffer.alloc(size / 2)]), MAX, room)
    const stranger = new PassThrough()
    void collectBody(stranger, MAX, room)
    for (const part of [300, 300]) {
      const read = once(stranger, 'data')
      stranger.write(Buffer.alloc(part * KIB))
      await read
    }
    const refusal = await rejection(collect(400 * KIB))
    expect(refusal).to.be.instanceOf(ApiError).and.to.include({ status: 503 })
    expect(refusal).to.have.deep.property('headers', { 'Retry-After': '1' })
    expect(await collect(128 * KIB)).to.have.length(128 * KIB)
    stranger.destroy()
    await once(stranger, 'close')
    expect(await collect(400 * KIB)).to.have.length(400 * KIB)
    expect(await collect(400 * KIB)).to.have.length(400 * KIB)
  })

  it('are refused if they are too large, and then use no memory', async () => {
    const room = new BodyRoom(600 * KIB)
    for (let time = 0; time < 3; time++) {
      const parts = Array.from({ length: 5 }, () => Buffer.alloc(100 * KIB))
      const refusal = await rejection(collectBody(Readable.from(parts), 450 * KIB, room))
      expect(refusal).to.include({ status: 413 })
    }
  })
})
