import { Users } from './users.tsx'

export default function UserDirectory() {
  return <Users title="User directory" />
}
