-- What was said to Meta counted as known as soon as a later try had nothing to say, although the answer may have been lost. From
-- now on only what Meta answered is known; of what stands here nobody can tell, so the next try says all of it again. The end
-- of what is over and done stays: Meta takes none that is past.
update campaign_pushes p
set told = case when p.state = 'done' and c.end_date < current_date then p.told - '{name,budget,isActive}'::text[] else '{}' end
from campaigns c
where c.id = p.campaign_id and p.told is not null;
