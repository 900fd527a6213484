import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { openInput } from '../../../../src/cli/terminal/batch/input-file.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { rejection } from '../../../support/rejection.js'

describe('rows from a pipe', () => {
  const piped = () =>
    openInput('-', Readable.from([Buffer.from('name\n'), Buffer.from('Ada\n')]), systemRandom)
  const read = async (bytes: AsyncIterable<Uint8Array>) => await text(Readable.from(bytes))

  it('can be read more than once, even after a partial read', async () => {
    const input = await piped()
    for await (const chunk of input.read()) {
      expect(String(chunk)).to.equal('name\nAda\n')
      break
    }
    expect(await read(input.read())).to.equal('name\nAda\n')
    expect(await read(input.read())).to.equal('name\nAda\n')
    input.close()
  })

  it('cause an error only for their reader if their temporary file is gone', async () => {
    const input = await piped()
    input.close()
    expect(await rejection(read(input.read()))).to.have.property('code', 'ENOENT')
  })
})
