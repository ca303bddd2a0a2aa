"""pyodata, a client of V2 that is not ours, at work with a companion service. usage: v2.py ROOT"""
import sys

import pyodata
import requests

done = []


def check(label, condition):
    done.append(condition)
    print(("ok   " if condition else "FAIL ") + label, flush=True)


def pages(query):
    """All entities, page after page."""
    found = query.execute()
    all_of_it = list(found)
    while found.next_url:
        found = sets.Orders.get_entities().next_url(found.next_url).execute()
        all_of_it += found
    return all_of_it


root = sys.argv[1].rstrip("/")
session = requests.Session()
session.headers["X-CSRF-Token"] = "Fetch"
token = session.get(root + "/").headers.get("X-CSRF-Token")
if token:
    session.headers["X-CSRF-Token"] = token
client = pyodata.Client(root, session)
sets = client.entity_sets

types = {t.name: t for t in client.schema.entity_types}
check("metadata: sets", {"Customers", "Orders", "Tags"} <= {s.name for s in client.schema.entity_sets})
check("metadata: keys", [k.name for k in types["Orders"].key_proprties] == ["Id"])
check("metadata: types", types["Orders"].proprty("Amount").typ.name == "Edm.Decimal")
check("metadata: functions", {"OrdersAbove", "CloseAll"} <= {f.name for f in client.schema.function_imports})

check("list with its pages", sorted(o.Id for o in pages(sets.Orders.get_entities())) == list(range(1, 11)))
check("filter", [o.Id for o in pages(sets.Orders.get_entities().filter("Title eq 'order 3'"))] == [3])
check("order", pages(sets.Orders.get_entities().order_by("Id desc").top(2))[0].Id == 10)
check("count", sets.Orders.get_entities().count().execute() == 10)
check("select", sets.Tags.get_entities().select("Label").filter("Code eq 'O''Hara'").execute()[0].Label == "quoted")

made = sets.Customers.create_entity().set(Id="c-9", Name="O'Neil").execute()
check("create with a key of ours", made.Name == "O'Neil")
order = sets.Orders.create_entity().set(Title="foreign", Amount="1.125", CustomerId="c-9").execute()
check("create with a key of the service", order.Id > 10 and order.Title == "foreign")
read = sets.Orders.get_entity(Id=order.Id).execute()
check("read by key", read.Title == "foreign" and float(read.Amount) == 1.125 and read.etag is not None)

update = sets.Orders.update_entity(Id=order.Id, method="MERGE")
update.set(Title="changed")
update.add_headers({"If-Match": read.etag})
update.execute()
check("change", sets.Orders.get_entity(Id=order.Id).execute().Title == "changed")
update = sets.Orders.update_entity(Id=order.Id, method="MERGE")
update.set(Title="late")
update.add_headers({"If-Match": read.etag})
try:
    update.execute()
    check("refused with an old entity tag", False)
except pyodata.exceptions.HttpError as error:
    check("refused with an old entity tag", error.response.status_code == 412)

check("navigation to one", sets.Orders.get_entity(Id=order.Id).nav("Customer").execute().Name == "O'Neil")
several = sets.Customers.get_entity(Id="c-1").nav("Orders").get_entities().execute()
check("navigation to many", all(o.CustomerId == "c-1" for o in several) and len(several) > 0)
expanded = sets.Orders.get_entities().expand("Customer").filter("Id eq 1").execute()
check("expand", expanded[0].Customer.Id == "c-1")

batch = client.create_batch()
batch.add_request(sets.Tags.get_entity(Code="plain"))
changes = client.create_changeset()
changes.add_request(sets.Tags.create_entity().set(Code="py1", Label="a"))
changes.add_request(sets.Tags.delete_entity(Code="last"))
batch.add_request(changes)
answers = batch.execute()
check("batch with a change set", answers[0].Code == "plain" and answers[1][0].Code == "py1")
sets.Tags.delete_entity(Code="py1").execute()
codes = {t.Code for t in sets.Tags.get_entities().top(100).execute()}
check("delete", "py1" not in codes and "last" not in codes)

above = client.functions.OrdersAbove.parameter("amount", 8).execute()
check("function import", sorted(o["Id"] for o in above["results"]) == [9, 10] if isinstance(above, dict) else len(above) == 2)
client.functions.CloseAll.execute()
check("function import by POST", True)

print(f"{sum(done)} of {len(done)}")
sys.exit(0 if all(done) else 1)
