"""Lists users with the secret of a service user, then with its key, by the library of the vendor. Run by ../refuge.mjs."""
import os

from zitadel_client import Zitadel
from zitadel_client.models import UserServiceListQuery, UserServiceListUsersRequest

host = os.environ["SERVICE_URL"]
by_secret = Zitadel.with_client_credentials(host, os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
by_key = Zitadel.with_private_key(host, os.environ["SERVICE_KEY"])
for way, service in ("secret", by_secret), ("key", by_key):
    names = set()
    while True:
        page = UserServiceListQuery(offset=len(names))
        found = service.users.list_users(UserServiceListUsersRequest(query=page)).result
        if not found:
            break
        names.update(user.username for user in found)
    print(f"{way}: users={len(names)}")
