import { expect } from 'chai'
import { cellOf } from '../../../../src/cli/terminal/output/cell.js'
import { adminOperations } from '../../../../src/resources/admin/admin-operations.js'
import { resources } from '../../../../src/resources/resource-table.js'
import type { Field } from '../../../../src/schema/field.js'
import type { Json } from '../../../../src/schema/json.js'
import { eachCase } from '../../../support/each-case.js'

const { offset } = adminOperations.read_clock.output
const { http_status: status } = resources.webhook_log.fields
const { duplicate_window: window } = resources.processing_settings.fields
const terminal = { colour: false, width: 80 }
const piped = { colour: false }

describe('values shown to people', () => {
  const cases: readonly (readonly [string, Json, Field | undefined, string])[] = [
    ['an empty list', [], undefined, 'none'],
    ['true without a declaration', true, undefined, 'yes'],
    ['false without a declaration', false, undefined, 'no'],
    ['no offset of the clock', 0, offset, 'none'],
    ['an offset of a day', 86_400, offset, '1 day'],
    ['an offset of some hours back', -9_000, offset, '-2 hours 30 minutes'],
    ['a second', 1, offset, '1 second'],
    ['no answer of a receiver', 0, status, 'no answer'],
    ['an answer of a receiver', 200, status, '200'],
    ['no window of duplicates', 0, window, 'no check'],
    ['a window of duplicates', 60, window, '1 minute'],
  ]

  it('are words instead of machine values', async () => {
    await eachCase(
      cases,
      ([name]) => name,
      ([, value, field, words]) => {
        expect(cellOf(value, field, terminal).text).to.equal(words)
      },
    )
  })

  it('are the numbers of the API in a pipe', () => {
    expect(cellOf(86_400, offset, piped).text).to.equal('86400')
    expect(cellOf(200, status, piped).text).to.equal('200')
  })
})
