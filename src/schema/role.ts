import type { MoneyVerb } from './moves.js'

/** Roles of operators. Each has all rights of the roles before it. */
export const ROLES = ['viewer', 'cashier', 'manager', 'owner'] as const

export type Role = (typeof ROLES)[number]

/** Whether a role has all rights of the role `least`. */
export function reaches(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** Minimum role for moving money with a verb. */
export const MIN_ROLE: Readonly<Record<MoneyVerb, Role>> = {
  pay: 'cashier',
  authorize: 'cashier',
  capture: 'cashier',
  void: 'cashier',
  refund: 'cashier',
  credit: 'manager',
  review: 'manager',
  change: 'manager',
  dispute: 'manager',
  billing: 'manager',
  funding: 'manager',
  redirect: 'owner',
}
