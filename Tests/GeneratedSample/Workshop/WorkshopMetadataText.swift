// odata-generate: Workshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata that the classes were made from.
enum WorkshopMetadataText {
    static let xml = """
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<edmx:Edmx Version=\"4.0\" xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\"><edmx:DataServices>
<Schema Namespace=\"Ws\" xmlns=\"http://docs.oasis-open.org/odata/ns/edm\">
<ComplexType Name=\"Size\"><Property Name=\"Height\" Type=\"Edm.Int32\"/></ComplexType>
<EntityType Name=\"Tool\"><Key><PropertyRef Name=\"Id\"/></Key>
<Property Name=\"Id\" Type=\"Edm.Int32\" Nullable=\"false\">
<Annotation Term=\"Org.OData.Core.V1.Computed\"/></Property>
<Property Name=\"Title\" Type=\"Edm.String\" MaxLength=\"80\"/>
<Property Name=\"Price\" Type=\"Edm.Decimal\" Precision=\"9\" Scale=\"2\"/>
<Property Name=\"Size\" Type=\"Ws.Size\"/>
<Property Name=\"OwnerId\" Type=\"Edm.Int32\"/>
<Property Name=\"Manual\" Type=\"Edm.Stream\"/>
<NavigationProperty Name=\"Owner\" Type=\"Ws.Member\"><ReferentialConstraint Property=\"OwnerId\"
  ReferencedProperty=\"Id\"/></NavigationProperty></EntityType>
<EntityType Name=\"Member\"><Key><PropertyRef Name=\"Id\"/></Key>
<Property Name=\"Id\" Type=\"Edm.Int32\" Nullable=\"false\"/>
<Property Name=\"Name\" Type=\"Edm.String\"/></EntityType>
<EntityType Name=\"Photo\" HasStream=\"true\"><Key><PropertyRef Name=\"Id\"/></Key>
<Property Name=\"Id\" Type=\"Edm.Int32\" Nullable=\"false\">
<Annotation Term=\"Org.OData.Core.V1.Computed\"/></Property>
<Property Name=\"Name\" Type=\"Edm.String\"/></EntityType>
<Function Name=\"Worth\" IsBound=\"true\"><Parameter Name=\"tool\" Type=\"Ws.Tool\"/>
<Parameter Name=\"at\" Type=\"Edm.Date\" Nullable=\"false\"/>
<ReturnType Type=\"Edm.Decimal\" Precision=\"9\" Scale=\"2\"/></Function>
<Function Name=\"Cheapest\" IsBound=\"true\" EntitySetPath=\"tools\">
<Parameter Name=\"tools\" Type=\"Collection(Ws.Tool)\"/>
<Parameter Name=\"count\" Type=\"Edm.Int32\" Nullable=\"false\"/>
<ReturnType Type=\"Collection(Ws.Tool)\"/></Function>
<Function Name=\"Total\"><Parameter Name=\"ids\" Type=\"Collection(Edm.Int32)\" Nullable=\"false\"/>
<ReturnType Type=\"Edm.Decimal\" Precision=\"9\" Scale=\"2\"/></Function>
<Function Name=\"Motto\"><ReturnType Type=\"Edm.String\"/></Function>
<Function Name=\"Sizes\"><ReturnType Type=\"Collection(Ws.Size)\"/></Function>
<Function Name=\"Best\"><Parameter Name=\"kind\" Type=\"Edm.String\"/><ReturnType Type=\"Ws.Tool\"/></Function>
<Action Name=\"Lend\" IsBound=\"true\" EntitySetPath=\"tool\"><Parameter Name=\"tool\" Type=\"Ws.Tool\"/>
<Parameter Name=\"days\" Type=\"Edm.Int32\" Nullable=\"false\"/><ReturnType Type=\"Ws.Tool\"/></Action>
<Action Name=\"Reset\"/>
<Action Name=\"Recount\"><Parameter Name=\"words\" Type=\"Collection(Edm.String)\" Nullable=\"false\"/>
<ReturnType Type=\"Collection(Edm.String)\"/></Action>
<Action Name=\"Resize\"><Parameter Name=\"size\" Type=\"Ws.Size\"/><ReturnType Type=\"Ws.Size\"/></Action>
<EntityContainer Name=\"C\">
<EntitySet Name=\"Tools\" EntityType=\"Ws.Tool\"><NavigationPropertyBinding Path=\"Owner\" Target=\"Members\"/>
</EntitySet>
<EntitySet Name=\"Members\" EntityType=\"Ws.Member\"/><EntitySet Name=\"Photos\" EntityType=\"Ws.Photo\"/>
<FunctionImport Name=\"Total\" Function=\"Ws.Total\"/><FunctionImport Name=\"Motto\" Function=\"Ws.Motto\"/>
<FunctionImport Name=\"Sizes\" Function=\"Ws.Sizes\"/>
<FunctionImport Name=\"Best\" Function=\"Ws.Best\" EntitySet=\"Tools\"/>
<ActionImport Name=\"Reset\" Action=\"Ws.Reset\"/><ActionImport Name=\"Recount\" Action=\"Ws.Recount\"/>
<ActionImport Name=\"Resize\" Action=\"Ws.Resize\"/>
</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
"""
}
