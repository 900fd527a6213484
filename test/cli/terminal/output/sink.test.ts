import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { pagerOf } from '../../../../src/cli/terminal/output/pager.js'
import { streamSink, watchedSink } from '../../../../src/cli/terminal/output/sink.js'

describe('an output stream', () => {
  it('makes the writer wait while its reader is behind', async () => {
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

  it('reports that its reader has gone', async () => {
    const stream = new PassThrough()
    const sink = streamSink(stream)
    expect(await sink.write('a')).to.equal(true)
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    await new Promise(setImmediate)
    expect(await sink.write('b')).to.equal(false)
  })
})

describe('a list whose reader stops', () => {
  it('notices it before the next write', async () => {
    const stream = new PassThrough()
    const sink = watchedSink(streamSink(stream))
    await sink.write('ID\nacct_1\n')
    expect(String(stream.read())).to.equal('ID\nacct_1')
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(await sink.isRead(true)).to.equal(false)
  })

  it('is written in full while it is read, and when it ends early', async () => {
    for (const isRead of [true, false]) {
      const stream = new PassThrough()
      const sink = watchedSink(streamSink(stream))
      await sink.write('ID\n')
      await sink.write('acct_1\n')
      await sink.write('')
      if (isRead) expect(await sink.isRead(false)).to.equal(true)
      await sink.close(isRead)
      expect(writtenTo(stream)).to.equal('ID\nacct_1\n')
    }
  })
})

describe('the pager', () => {
  it('is the program less, unless a variable sets another pager or none', () => {
    expect(pagerOf({})).to.deep.equal(['less'])
    expect(pagerOf({ PAGER: 'more -s' })).to.deep.equal(['more', '-s'])
    for (const variables of [{ PAGER: '' }, { PAGER: 'cat' }, { CI: '1' }, { TERM: 'dumb' }])
      expect(pagerOf(variables)).to.equal(undefined)
  })
})

/** All unread text written to a stream, in any number of chunks. */
function writtenTo(stream: PassThrough): string {
  const pieces: string[] = []
  for (let piece = stream.read(); piece !== null; piece = stream.read()) pieces.push(String(piece))
  return pieces.join('')
}
