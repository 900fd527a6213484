import { type Columns, resourceColumns } from '../builder/table.js'

export const accessTokensColumns: Columns = {
  ...resourceColumns,
  type: 'text',
  status: 'text',
  environ: 'text',
  intent: 'text',
  expires_at: 'text',
  processing_id: 'text',
  key_id: 'text',
  fixed: 'text',
}

export const adminKeysColumns: Columns = {
  ...resourceColumns,
  description: 'text',
  hint: 'text',
  org_id: 'text',
  manage: 'integer',
  processing_ids: 'text',
  grants: 'text',
  status: 'text',
  expires_at: 'text',
  rotated_from_id: 'text',
  key_hash: 'text',
}

export const adminOauthUsersColumns: Columns = {
  ...resourceColumns,
  org_id: 'text required',
  email: 'text required',
  name: 'text',
  locked_until: 'text',
  password_hash: 'text',
  failures: 'integer',
}

export const adminOauthRedirectsColumns: Columns = {
  ...resourceColumns,
  org_id: 'text required',
  kind: 'text',
  uri: 'text required',
}

export const adminOauthGrantsColumns: Columns = {
  ...resourceColumns,
  client_id: 'text',
  org_id: 'text',
  user_id: 'text',
  scope: 'text',
  processing_ids: 'text',
  status: 'text',
  redirect_uri: 'text',
  code_hash: 'text',
  code_expires_at: 'text',
  code_challenge: 'text',
}

/** Access and refresh tokens of OAuth, as keyed hashes. */
export const oauthTokensColumns: Columns = {
  id: 'text required',
  grant_id: 'text required',
  kind: 'text required',
  token_hash: 'text required',
  expires_at: 'text required',
  used_at: 'text',
}
