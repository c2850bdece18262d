import type { ImportResource } from './import-kinds.ts'

/** How the text of a cell becomes the value of a field. */
export type CellKind =
  | 'text'
  | 'email'
  | 'phone'
  /** A US phone number as people write it. */
  | 'written_phone'
  | 'moment'
  | 'day'
  | 'integer'
  | 'number'
  | 'money'
  | 'flag'
  | 'choice'
  | 'list'
  /** A zone by its name or id. */
  | 'zone'
  /** First and last name in one cell. */
  | 'name'

/** A field that a column of a file can go to. */
export interface ImportField {
  /** As in an item of the API; a dot leads into an object. */
  readonly path: string
  readonly label: string
  readonly kind: CellKind
  /** Other headers that mean this field, without spaces and punctuation. */
  readonly aliases?: readonly string[]
  /** Other words for a choice. */
  readonly words?: Readonly<Record<string, string>>
}

const externalId = (...aliases: string[]): ImportField => ({
  path: 'external_id',
  label: 'External ID',
  kind: 'text',
  aliases: ['id', ...aliases],
})
const updatedAt: ImportField = {
  path: 'updated_at',
  label: 'Last changed',
  kind: 'moment',
  aliases: ['lastmodified', 'modifiedat', 'lastmodifieddate', 'modifieddate'],
}
const createdAt: ImportField = {
  path: 'created_at',
  label: 'Created',
  kind: 'moment',
  aliases: ['createdate', 'creationdate', 'datecreated', 'created'],
}
const customer: ImportField = {
  path: 'customer',
  label: 'Customer',
  kind: 'text',
  aliases: ['clientid', 'customerid', 'client'],
}
const stretcher: ImportField = {
  path: 'stretcher',
  label: 'Stretcher',
  kind: 'text',
  aliases: ['stretcherid', 'staffid', 'providerid'],
}
const booking: ImportField = {
  path: 'booking',
  label: 'Booking',
  kind: 'text',
  aliases: ['bookingid', 'appointmentid'],
}

const person: readonly ImportField[] = [
  { path: 'first_name', label: 'First name', kind: 'text', aliases: ['firstname', 'givenname', 'fname'] },
  { path: 'last_name', label: 'Last name', kind: 'text', aliases: ['lastname', 'familyname', 'surname', 'lname'] },
  { path: 'name', label: 'Full name', kind: 'name', aliases: ['fullname', 'clientname', 'contactname'] },
  { path: 'email', label: 'Email', kind: 'email', aliases: ['emailaddress', 'mail', 'clientemail'] },
]
const phoneAliases = ['mobilephone', 'phonenumber', 'mobile', 'cellphone', 'homephone', 'cell']
const phone: ImportField = { path: 'phone', label: 'Phone', kind: 'phone', aliases: phoneAliases }

/** The fields of each kind of record, in the order in which people know them. */
export const importFields: Readonly<Record<ImportResource, readonly ImportField[]>> = {
  customers: [
    externalId('clientid', 'customerid', 'contactid', 'recordid'),
    ...person,
    phone,
    {
      path: 'joined_at',
      label: 'Joined',
      kind: 'moment',
      aliases: ['joindate', 'creationdate', 'createdate', 'membersince', 'signupdate', 'optintime'],
    },
    { path: 'last_login_at', label: 'Last sign-in', kind: 'moment', aliases: ['lastlogin', 'lastsignin'] },
    { path: 'email_verified_at', label: 'Email verified', kind: 'moment' },
    {
      path: 'waiver_signed_at',
      label: 'Waiver signed',
      kind: 'moment',
      aliases: ['liability', 'liabilityrelease', 'waiver', 'waiverdate'],
    },
    { path: 'customer_type', label: 'Type', kind: 'choice' },
    { path: 'value_tier', label: 'Value tier', kind: 'choice' },
    { path: 'lifecycle_stage', label: 'Lifecycle stage', kind: 'choice', words: { 'at risk': 'at_risk' } },
    { path: 'engagement_score', label: 'Engagement score', kind: 'integer' },
    { path: 'points', label: 'Points', kind: 'integer' },
    { path: 'total_points_earned', label: 'Points earned', kind: 'integer' },
    {
      path: 'rank',
      label: 'Rank',
      kind: 'choice',
      words: { bronze: 'Bronze', silver: 'Silver', gold: 'Gold', platinum: 'Platinum' },
    },
    {
      path: 'address.line',
      label: 'Address',
      kind: 'text',
      aliases: ['addressline1', 'address1', 'street', 'streetaddress', 'addressline'],
    },
    { path: 'address.city', label: 'City', kind: 'text' },
    { path: 'address.state', label: 'State', kind: 'text', aliases: ['stateregion', 'province'] },
    { path: 'address.postal_code', label: 'ZIP code', kind: 'text', aliases: ['postalcode', 'zip', 'zippostalcode'] },
    { path: 'address.latitude', label: 'Latitude', kind: 'number', aliases: ['lat'] },
    { path: 'address.longitude', label: 'Longitude', kind: 'number', aliases: ['lng', 'lon', 'long'] },
    { path: 'referred_by.customer', label: 'Referred by customer', kind: 'text', aliases: ['referrerid'] },
    { path: 'referred_by.stretcher', label: 'Referred by stretcher', kind: 'text' },
    { path: 'referred_by.worker_email', label: 'Referred by worker', kind: 'email' },
    {
      path: 'marketing_opt_out',
      label: 'No marketing',
      kind: 'flag',
      aliases: ['optedout', 'unsubscribed', 'donotemail'],
    },
    updatedAt,
  ],
  bookings: [
    externalId('bookingid', 'appointmentid', 'visitid'),
    customer,
    stretcher,
    { path: 'zone_id', label: 'Zone', kind: 'zone' },
    { path: 'starts_at', label: 'Starts', kind: 'moment', aliases: ['startdatetime', 'starttime', 'start'] },
    { path: 'ends_at', label: 'Ends', kind: 'moment', aliases: ['enddatetime', 'endtime', 'end'] },
    {
      path: 'status',
      label: 'Status',
      kind: 'choice',
      aliases: ['appointmentstatus'],
      words: {
        booked: 'confirmed',
        arrived: 'completed',
        'no show': 'no_show',
        noshow: 'no_show',
        canceled: 'cancelled',
        'late cancel': 'cancelled',
        'early cancel': 'cancelled',
        'in progress': 'in_progress',
      },
    },
    { path: 'price', label: 'Price', kind: 'money', aliases: ['amount'] },
    { path: 'credits_used', label: 'Credits used', kind: 'integer' },
    { path: 'rating', label: 'Rating', kind: 'integer' },
    { path: 'rating_attributes', label: 'Rating attributes', kind: 'list' },
    { path: 'rated_at', label: 'Rated', kind: 'moment' },
    { path: 'feedback', label: 'Feedback', kind: 'text' },
    { path: 'feedback_at', label: 'Feedback time', kind: 'moment' },
    { path: 'cancelled_at', label: 'Canceled', kind: 'moment' },
    { path: 'cancel_reason', label: 'Cancel reason', kind: 'text' },
    createdAt,
    updatedAt,
  ],
  transactions: [
    externalId('transactionid', 'saleid', 'paymentid'),
    customer,
    booking,
    {
      path: 'type',
      label: 'Type',
      kind: 'choice',
      words: { 'credit purchase': 'credit_purchase', 'session payment': 'session_payment', payment: 'session_payment' },
    },
    { path: 'amount', label: 'Amount', kind: 'money', aliases: ['total'] },
    { path: 'credits', label: 'Credits', kind: 'integer' },
    { path: 'status', label: 'Status', kind: 'choice' },
    createdAt,
    updatedAt,
  ],
  credits: [
    externalId('creditid'),
    customer,
    { path: 'delta', label: 'Change', kind: 'integer', aliases: ['credits', 'amount'] },
    { path: 'kind', label: 'Kind', kind: 'choice', aliases: ['type'] },
    booking,
    { path: 'transaction', label: 'Transaction', kind: 'text', aliases: ['transactionid'] },
    { path: 'grant_reason', label: 'Reason of a grant or removal', kind: 'text' },
    createdAt,
  ],
  stretchers: [
    externalId('stretcherid', 'staffid', 'employeeid'),
    ...person,
    phone,
    { path: 'date_of_birth', label: 'Date of birth', kind: 'day', aliases: ['birthdate', 'dob', 'birthday'] },
    { path: 'hired_at', label: 'Hired', kind: 'moment', aliases: ['hiredate', 'startdate'] },
    { path: 'status', label: 'Status', kind: 'choice', words: { 'in training': 'in_training' } },
    { path: 'zone_id', label: 'Zone', kind: 'zone' },
    { path: 'customer', label: 'Customer account', kind: 'text', aliases: ['customerid'] },
    updatedAt,
  ],
  leads: [
    externalId('leadid', 'contactid', 'recordid'),
    ...person,
    { ...phone, kind: 'written_phone' },
    { path: 'source', label: 'Source', kind: 'choice', aliases: ['leadsource', 'originalsource'] },
    { path: 'campaign_id', label: 'Campaign', kind: 'integer' },
    { path: 'note', label: 'Note', kind: 'text', aliases: ['notes', 'message', 'comments'] },
    { path: 'status', label: 'Status', kind: 'choice', aliases: ['leadstatus'] },
    createdAt,
    { path: 'status_since', label: 'Status since', kind: 'moment' },
    { path: 'first_response_at', label: 'First response', kind: 'moment' },
    { path: 'converted_at', label: 'Converted', kind: 'moment' },
    { path: 'lost_reason', label: 'Lost reason', kind: 'text' },
    { path: 'customer', label: 'Customer account', kind: 'text', aliases: ['customerid'] },
    updatedAt,
  ],
  businesses: [
    externalId('businessid', 'companyid', 'accountid'),
    { path: 'name', label: 'Name', kind: 'text', aliases: ['businessname', 'company', 'companyname', 'account'] },
    { path: 'custom_path', label: 'Custom path', kind: 'text', aliases: ['path', 'slug'] },
    { path: 'admin_email', label: 'Admin email', kind: 'email', aliases: ['email', 'contactemail', 'emailaddress'] },
    { path: 'zone_id', label: 'Zone', kind: 'zone' },
    { path: 'rep_name', label: 'Contact name', kind: 'text', aliases: ['contact', 'contactname', 'representative'] },
    { path: 'location', label: 'Location', kind: 'text', aliases: ['address', 'streetaddress'] },
    { path: 'kind', label: 'Kind', kind: 'choice' },
    { path: 'stage', label: 'Stage', kind: 'choice' },
    { path: 'pilot_ends_on', label: 'Pilot ends', kind: 'day' },
    { path: 'renews_on', label: 'Renews', kind: 'day' },
    { path: 'ended_reason', label: 'Ended reason', kind: 'text' },
    { path: 'archived_at', label: 'Archived', kind: 'moment' },
    createdAt,
    updatedAt,
  ],
  'allowed-emails': [
    { path: 'business', label: 'Business (custom path)', kind: 'text', aliases: ['custompath', 'path', 'company'] },
    { path: 'email', label: 'Email', kind: 'email', aliases: ['emailaddress', 'mail', 'workemail'] },
  ],
  tickets: [
    externalId('ticketid', 'caseid'),
    {
      path: 'customer_email',
      label: 'Customer email',
      kind: 'email',
      aliases: ['requesteremail', 'email', 'customer', 'requester'],
    },
    { path: 'subject', label: 'Subject', kind: 'text', aliases: ['title'] },
    {
      path: 'status',
      label: 'Status',
      kind: 'choice',
      words: { new: 'open', pending: 'open', solved: 'closed', hold: 'open' },
    },
    { path: 'priority', label: 'Priority', kind: 'choice', words: { normal: 'medium' } },
    { path: 'kind', label: 'Kind', kind: 'choice' },
    createdAt,
    {
      path: 'message.content',
      label: 'Message',
      kind: 'text',
      aliases: ['message', 'content', 'description', 'comment', 'body'],
    },
    {
      path: 'message.from_customer',
      label: 'From customer',
      kind: 'flag',
      aliases: ['fromcustomer', 'ispublicrequester'],
    },
    {
      path: 'message.created_at',
      label: 'Message sent',
      kind: 'moment',
      aliases: ['messagecreatedat', 'commentcreated'],
    },
    updatedAt,
  ],
  'payroll/history': [
    externalId('checknumber', 'payrollid'),
    stretcher,
    { path: 'worker_email', label: 'Worker email', kind: 'email', aliases: ['workemail', 'employeeemail'] },
    { path: 'type', label: 'Type', kind: 'choice' },
    { path: 'amount', label: 'Gross pay', kind: 'money', aliases: ['grosspay', 'gross', 'grossearnings'] },
    { path: 'withheld', label: 'Withheld', kind: 'money', aliases: ['employeetaxes', 'taxeswithheld'] },
    { path: 'employer_tax', label: 'Employer taxes', kind: 'money', aliases: ['employertaxes'] },
    { path: 'work_date', label: 'Work date', kind: 'day', aliases: ['payperiodend', 'periodend'] },
    { path: 'pay_date', label: 'Pay date', kind: 'day', aliases: ['checkdate', 'payday', 'paydate'] },
  ],
}

/** The order of day and month in dates such as 03/04/2025. */
export type DateOrder = 'mdy' | 'dmy'

/** Which column goes to which field. A column that is not named is not imported. */
export interface ColumnMap {
  readonly columns: Readonly<Record<string, string>>
  readonly dates?: DateOrder | undefined
}
