import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { pagerOf } from '../../../../src/cli/terminal/output/pager.js'
import { streamSink } from '../../../../src/cli/terminal/output/sink.js'

describe('a stream that is written to', () => {
  it('is waited for while its reader is behind', async () => {
    const stream = new PassThrough({ highWaterMark: 4 })
    const sink = streamSink(stream)
    let isDone = false
    const writing = sink.write('12345678').then((more) => {
      isDone = more
    })
    await new Promise(setImmediate)
    expect(isDone).to.equal(false)
    stream.resume()
    await writing
    expect(isDone).to.equal(true)
  })

  it('says when nobody reads any more', async () => {
    const stream = new PassThrough()
    const sink = streamSink(stream)
    expect(await sink.write('a')).to.equal(true)
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await new Promise(setImmediate)
    expect(await sink.write('b')).to.equal(false)
  })
})

describe('the pager', () => {
  it('is less unless another one, or none, is wanted', () => {
    expect(pagerOf({})).to.deep.equal(['less'])
    expect(pagerOf({ PAGER: 'more -s' })).to.deep.equal(['more', '-s'])
    for (const variables of [{ PAGER: '' }, { PAGER: 'cat' }, { CI: '1' }, { TERM: 'dumb' }])
      expect(pagerOf(variables)).to.equal(undefined)
  })
})
