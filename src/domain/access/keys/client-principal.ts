import type { Principal } from '../../../engine/core/request/principal.js'
import type { RowByName } from '../../../engine/core/write/work.js'
import type { Input } from '../../../schema/types.js'
import type { Permissions } from './permissions.js'

type Token = Pick<RowByName['access_token'], 'id' | 'processing_id' | 'fixed'>

/** Whoever holds a client key: what its maker may do, cut down to creating payments that its intent allows. */
export function clientPrincipal(
  token: Token,
  maker: Pick<Permissions, 'processingIds' | 'grants'>,
): Principal {
  const { id, fixed, processing_id } = token
  const pays = fixed !== null && (!maker.grants || maker.grants.transactions?.includes('POST'))
  const intent: Input = fixed === null ? {} : JSON.parse(fixed)
  return {
    kind: 'client',
    id,
    manage: false,
    processingIds: maker.processingIds,
    grants: pays ? { transactions: ['POST'] } : {},
    intent: processing_id === null ? intent : { ...intent, processing_id },
  }
}
