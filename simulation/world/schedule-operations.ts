import type { Known } from './known.js'
import { said, type World } from './world.js'

export async function makeSchedule(world: World, known: Known): Promise<string> {
  const { chance } = world
  const customer = chance.pick(known.customers)
  if (!customer || known.schedules.length > 20) return 'nothing'
  const frequencies = ['daily', 'weekly', 'biweekly', 'bimonthly', 'monthly', 'quarterly', 'annually']
  const body = {
    customer_id: customer.id,
    processing_id: customer.processing,
    recurring_frequency: chance.pick(frequencies) ?? 'monthly',
    charges: [{ amount: chance.integer(100, 9_000) / 100, qty: chance.integer(1, 2) }],
  }
  const response = await world.send({ method: 'POST', path: '/billing_schedules', body })
  if (response?.status === 200) known.schedules.push(String(response.body.id))
  return said('schedule', response)
}

/**
 * Collects an open invoice of a schedule at once, or stops or resumes its automatic payments. Invoices of one schedule
 * are in the same order on every database; those of several schedules that are due at the same time are not.
 */
export async function decideOnCollecting(world: World, known: Known): Promise<string> {
  const { chance } = world
  const schedule = chance.pick(known.schedules)
  if (schedule === undefined) return 'nothing'
  const open = {
    path: '/invoices',
    query: [
      ['billing_schedule_id', schedule],
      ['status', 'overdue|pending'],
      ['fields', 'id'],
      ['limit', '50'],
    ],
  } as const
  const found = await world.send({ method: 'GET', ...open })
  const { values } = found?.body ?? {}
  const invoice = chance.pick(Array.isArray(values) ? values : [])
  if (!invoice) return 'nothing'
  const action = chance.pick(['collect', 'collect', 'stop_collecting', 'resume_collecting']) ?? 'collect'
  const path = `/invoices/${Object(invoice).id}/${action}`
  return said(action, await world.send({ method: 'POST', path }))
}

export async function deleteSchedule(world: World, known: Known): Promise<string> {
  if (!world.chance.percent(20)) return 'nothing'
  const id = known.schedules.shift()
  if (id === undefined) return 'nothing'
  return said('end of a schedule', await world.send({ method: 'DELETE', path: `/billing_schedules/${id}` }))
}
