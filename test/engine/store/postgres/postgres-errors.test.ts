import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { StoreError } from '../../../../src/engine/store/database/store-error.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { connectTimeout, passwordsIn } from '../../../../src/engine/store/postgres/database-location.js'
import {
  explainConnecting,
  explainPostgresError,
} from '../../../../src/engine/store/postgres/postgres-errors.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { insert } from '../../../support/counters.js'
import { onPostgres } from '../../../support/databases.js'
import { inHome } from '../../../support/home.js'
import { rejection } from '../../../support/rejection.js'

describe('an unusable PostgreSQL database', () => {
  const refusalIn = (home: string, databaseUrl: string) =>
    rejection(openStore({ home, databaseUrl, environment: 'test', random: systemRandom }))
  const refusal = (databaseUrl: string) => inHome((home) => refusalIn(home, databaseUrl))

  it('is reported with its address if no server listens, without the password', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    server.close()
    await once(server, 'close')
    const port = typeof address === 'object' ? address?.port : undefined
    const error = await refusal(`postgres://someone:secret-word@127.0.0.1:${port}/payctl`)
    expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'unreachable')
    expect(error.message).to.include(`127.0.0.1:${port}/payctl`).and.to.not.include('secret-word')
  })

  for (const [setting, milliseconds] of [
    ['', 10_000],
    ['?connect_timeout=60', 60_000],
  ] as const)
    it(`has ${milliseconds / 1000} seconds to accept a connection by ${setting || 'default'}`, () => {
      expect(connectTimeout(`postgres://127.0.0.1/payctl${setting}`)).to.equal(milliseconds)
    })

  for (const value of ['0', '-1', '3601', '9e9', 'soon', ''])
    it(`is reported if connect_timeout is no number of seconds up to an hour: ${value || 'empty'}`, async () => {
      const error = await refusal(`postgres://127.0.0.1/payctl?connect_timeout=${value}`)
      expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'refused')
      expect(error.message).to.include('connect_timeout in PAYCTL_DATABASE_URL')
    })

  it('is reported if the server accepts no connection in the time of its address', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const error = await refusal(`postgres://127.0.0.1:${port}/payctl?connect_timeout=0.01`)
    silent.close()
    expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'unreachable')
    expect(error.message).to.include('timeout')
  })

  for (const address of ['nonsense', 'mysql://127.0.0.1/payctl', 'postgres://127.0.0.1:port/payctl', ''])
    it(`is reported if its address is invalid: ${address}`, async () => {
      const error = await refusal(address)
      expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'refused')
      expect(error.message).to.include('PAYCTL_DATABASE_URL')
    })

  onPostgres((open) => {
    it('is reported if it does not exist', async () => {
      const { databaseUrl = '' } = await open.place()
      const error = await refusal(databaseUrl.replace(/suite_\w+/, 'no_such_database'))
      expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'refused')
    })

    it('is reported if it is from a newer version', async () => {
      const { store, home, databaseUrl = '' } = await open()
      await store.write((tx) => tx.any.insertInto('migrations').values({ name: '9999_future' }).execute())
      const error = await refusalIn(home, databaseUrl)
      expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'newer_version')
      expect(error.message).to.include('9999_future')
    })

    it('is reported if it is read-only', async () => {
      const { store, databaseUrl = '', home } = await open()
      const readOnly = `${databaseUrl}&options=-c%20default_transaction_read_only%3Don`
      const other = await openStore({
        home,
        databaseUrl: readOnly,
        environment: 'test',
        random: systemRandom,
      })
      try {
        const error = await rejection(other.write((tx) => insert(tx, 'a')))
        expect(error).to.be.instanceOf(StoreError).and.to.have.property('problem', 'read_only')
      } finally {
        await other.close()
      }
      await store.write((tx) => insert(tx, 'a'))
    })
  })

  for (const [code, problem] of Object.entries({
    ECONNRESET: 'unreachable',
    '57P01': 'unreachable',
    '08006': 'unreachable',
    '53300': 'unreachable',
    '28P01': 'refused',
    '3D000': 'refused',
    '53100': 'disk_full',
    '25006': 'read_only',
    '40001': 'busy',
    '40P01': 'busy',
    XX001: 'corrupt',
  }))
    it(`is recognized by its code: ${code}`, () => {
      const cause = Object.assign(new Error('something'), { code })
      const told = explainPostgresError(cause, '127.0.0.1/payctl')
      expect(told).to.be.instanceOf(StoreError).and.to.include({ problem, cause })
    })

  const refusedWith = (message: string, databaseUrl: string) =>
    explainConnecting(
      Object.assign(new Error(message), { code: '28000' }),
      'db/payctl',
      passwordsIn(databaseUrl),
    ).message

  it('is reported with a reason of one line without control characters', () => {
    const { message } = explainConnecting(new Error('no\u001b[2J \u202eentry\nmore'), 'db/payctl', [])
    expect(message).to.include('cannot be used (no [2J entry);')
  })

  it('is reported with the reason of each address that was tried', () => {
    const reasons = ['connect ECONNREFUSED ::1:5432', 'connect ECONNREFUSED 127.0.0.1:5432']
    const errors = reasons.map((reason) => Object.assign(new Error(reason), { code: 'ECONNREFUSED' }))
    const { message } = explainConnecting(new AggregateError(errors), 'localhost/payctl', [])
    expect(message).to.include(`(${reasons.join(', ')})`)
  })

  for (const address of [
    'postgres://me:s%C3%A9cret@db/payctl',
    'postgres://me@db/payctl?password=s%C3%A9cret',
  ])
    it(`is reported without the password, even if the server repeats it: ${address}`, () => {
      const message = refusedWith('user "me" sent sécret, or s%C3%A9cret', address)
      expect(message).to.include('user "me" sent ***').and.not.include('sécret')
    })

  it('is reported for a password that is not encoded correctly', () =>
    expect(refusedWith('it sent 100%', 'postgres://me:100%@db/payctl')).to.include('(it sent ***)'))

  it('is reported with the name of a user whose password is the same', () =>
    expect(refusedWith('role "payctl" does not exist', 'postgres://payctl:payctl@db/payctl')).to.include(
      'role "payctl" does not exist',
    ))

  it('does not hide any other error', () => {
    const error = new Error('refused')
    expect(explainPostgresError(error, '127.0.0.1/payctl')).to.equal(error)
  })
})
