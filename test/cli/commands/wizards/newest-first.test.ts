import { expect } from 'chai'
import { newestFirst } from '../../../../src/cli/commands/wizards/newest-first.js'

describe('objects of several answers, newest first', () => {
  it('are sorted by id within a second, capitals before small letters', () => {
    const made = ['txn_1aZ', 'txn_1az', 'txn_2AA', 'txn_2Ab', 'txn_2aA'].map((id) => ({
      id,
      created_at: '2026-11-26 10:00:00',
    }))
    const older = { id: 'txn_9', created_at: '2026-11-26 09:59:59' }
    expect(newestFirst([older, ...made, ...made])).to.deep.equal([...made.toReversed(), older])
  })
})
