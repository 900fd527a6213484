import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { resources } from '../../../resources/resource-table.js'
import { registryOf } from '../../../schema/registry.js'

/** The declarations that commands are derived from. */
export const registry = registryOf(resources, Object.values(adminOperations))
