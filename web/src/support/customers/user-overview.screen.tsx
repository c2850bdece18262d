import { Users } from './users.tsx'

export default function UserOverview() {
  return <Users title="User Overview" />
}
