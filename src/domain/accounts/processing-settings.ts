import { ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Rule, Work } from '../../engine/core/write/work.js'

/** Spec: "Processing settings". They come and go with their processing account or organization. */
export const processingSettingsRule: Rule<'processing_settings'> = {
  async create(work, input) {
    refuseWithoutManage(work)
    return await work.createPlainly('processing_settings', { ...input })
  },

  async delete(work, row) {
    refuseWithoutManage(work)
    for (const name of ['account', 'org'] as const) {
      const owners = await work.findBy(name, 'processing_settings_id', row.id)
      if (owners.length > 0)
        throw invalidAttributes({ id: 'Settings of a processing account or organization are not deleted' })
    }
    await work.deletePlainly('processing_settings', row)
  },
}

function refuseWithoutManage({ principal }: Work): void {
  if (!principal.manage) throw new ApiError('Forbidden', 'Processing settings need the permission manage')
}
