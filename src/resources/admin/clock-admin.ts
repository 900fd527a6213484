import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, integer, rows, text } from '../../schema/field.js'

const object = 'clock'
const path = 'admin/clock'

const output = {
  now: datetime({ doc: 'time that the environment uses for everything (UTC)' }),
  offset: integer({ unit: 'seconds', zero: 'none', doc: 'seconds by which now is ahead of the real time' }),
  real: datetime({ doc: 'the real time (UTC)' }),
}

export const readClockOperation = adminOperation({
  name: 'read_clock',
  method: 'GET',
  path,
  summary: 'show what time it is in the environment',
  moves: 'nothing',
  least: 'viewer',
  input: {},
  object,
  output,
})

export const setClockOperation = adminOperation({
  name: 'set_clock',
  method: 'PUT',
  path,
  summary: 'set the clock of the test environment to another time, from which time goes on',
  moves: ['billing', 'funding'],
  least: 'manager',
  testOnly: true,
  input: {
    now: datetime({ doc: 'the time to set (UTC); an earlier time is allowed, but does not undo any change' }),
    offset: integer({ doc: 'instead of now: seconds ahead of the real time; 0 is the real time' }),
  },
  object,
  output,
  example: { now: '2031-01-31 14:05:00' },
})

export const advanceClockOperation = adminOperation({
  name: 'advance_clock',
  method: 'POST',
  path,
  summary: 'move the clock of the test environment forward, and do what becomes due, in order of time',
  moves: ['billing', 'funding'],
  least: 'manager',
  testOnly: true,
  input: {
    by: text({ max: 50, doc: 'how far: 1mo, 2w, 3d, 12h, 1y or several of them' }),
    to: datetime({ doc: 'instead of by: the time to advance to (UTC)' }),
  },
  object,
  output: {
    ...output,
    done: rows(
      {
        at: datetime({ doc: 'when it was due (UTC)' }),
        job: text({ doc: 'what was done' }),
        count: integer({ doc: 'to how many objects' }),
      },
      { doc: 'work that became due, in the order in which it was done' },
    ),
  },
  example: { by: '1mo' },
})
