import { expect } from 'chai'
import { shapeless } from '../../../../src/cli/terminal/input/shape.js'
import { cleanOutput, cleanSink } from '../../../../src/cli/terminal/output/clean.js'
import { FORMATS } from '../../../../src/cli/terminal/output/format.js'
import { render } from '../../../../src/cli/terminal/output/render.js'
import type { Sink } from '../../../../src/cli/terminal/output/sink.js'
import type { JsonObject } from '../../../../src/schema/json.js'

/**
 * Characters that draw or change direction: escape sequences, the one-byte CSI of C1, DEL, direction marks,
 * and unusual line breaks.
 */
const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\u202e\u2066\u200f\u2028\u2029\r\t'
const DRAWS = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

describe('an output for a terminal', () => {
  const inner: JsonObject = { [`a${HOSTILE}b`]: `c${HOSTILE}d`, deep: { [`e${HOSTILE}f`]: [`g${HOSTILE}h`] } }
  const body: JsonObject = { id: 'txn_1', [`n${HOSTILE}m`]: 'x', attrs: inner }
  const list: JsonObject = { object: 'list', values: [body] }

  for (const format of FORMATS)
    for (const [what, value] of Object.entries({ object: body, list }))
      it(`shows no control characters from names or values of an ${what} as ${format}`, async () => {
        const look = { width: 80, colour: false }
        const written: string[] = []
        const sink: Sink = {
          write: async (text) => written.push(text) > 0,
          close: async () => undefined,
        }
        await cleanSink(sink, format).write(await render(value, { format, shape: shapeless, look }))
        const text = written.join('')
        expect(text).to.match(/txn_1/).and.not.match(DRAWS)
        if (format === 'json') expect(JSON.parse(text)).to.deep.equal(value)
      })

  it('keeps the line breaks of CSV and all other characters', () => {
    expect(cleanOutput('a,"é 日\n"\n', 'csv')).to.equal('a,"é 日\n"\n')
    expect(cleanOutput('{"a":"é 日"}\n', 'json')).to.equal('{"a":"é 日"}\n')
  })
})
