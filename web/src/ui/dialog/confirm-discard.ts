import { confirm } from './confirm.ts'

/** Asks before a dialog with a changed form closes. */
export const confirmDiscard = () =>
  confirm({ title: 'Discard your changes?', action: 'Discard', cancel: 'Keep editing', isDestructive: true })
