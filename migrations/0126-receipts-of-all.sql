-- Platform admins read the receipts of all organizations, newest first. Their policy is in 0115.

create index receipts_by_number on app.receipts (n desc);
