import { Model } from '../../model/model.js'
import { registry } from './declared-registry.js'

/** The compiled declarations, by which a request is routed before it is sent. */
export const model = new Model(registry)
