import { keyColumns } from '../../src/domain/access/operators/second-factor.js'
import { resources } from '../../src/resources/resource-table.js'
import { idOf, type TestCore } from './core.js'

/** Adds an operator whose second factor is an app for one-time codes. */
export async function addSecondFactor(core: TestCore): Promise<void> {
  const person = { name: 'Ada Park', email: 'ada@example.com', role: 'owner' }
  const id = idOf(await core.ok('POST', '/admin/operators', person))
  await core.environment.core.write(async (work) => {
    const row = await work.find(resources.operator, id)
    if (row) await work.change(resources.operator, id, keyColumns(work, row, 'JBSWY3DPEHPK3PXP', 1))
  })
}
